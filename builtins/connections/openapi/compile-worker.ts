// Compiles one OpenAPI document in a worker thread, then ends the thread.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '#lib/errors';
import { isRecord } from '#lib/values';
import { chooseBaseUrl } from './base-url.ts';
import { compileDocument, maxOperations, TooManyOperations } from './compile-document.ts';
import { CompileFault, type CompiledTable, type CompileTask, type SecurityScheme, type ThreadMessage, type ThreadReply } from './compile-thread.ts';
import { describeDocument } from './describe-document.ts';
import { type DocumentFault, parseDocument, UnreadableDocument, withParts } from './read-document.ts';
import { createReferences } from './references.ts';
import { fieldOf, type Json } from './table.ts';
import { callerName, finderName } from './tool-names.ts';
import { packTable } from './table-file.ts';

const post = (message: ThreadMessage): void => parentPort?.postMessage(message);

async function compile({ name, spec, specUrl, baseUrl, ownNames, taken }: CompileTask): Promise<CompiledTable> {
  const document = typeof spec === 'string' ? await parseDocument(spec) : spec;
  const kind = describeDocument(document);
  if (kind.kind === 'swagger') throw refused('VERSION_TOO_OLD');
  if (kind.kind === 'other' || !isRecord(document)) throw refused('NOT_OPENAPI', { what: kind.kind === 'other' ? kind.what : 'no object' });
  const whole = await withParts(document, specUrl, askForText);
  const base = chooseBaseUrl(whole, baseUrl, specUrl);
  if (!base.ok) throw refused(({ missing: 'NO_BASE_URL', invalid: 'BASE_URL_INVALID', private: 'BASE_URL_PRIVATE' } as const)[base.why], { url: base.url });
  const others = new Set(taken);
  const compiled = await compileDocument(whole, {
    connection: name,
    version: kind.version,
    ownNames,
    reserved: [finderName(name), callerName(name)],
    isTaken: (tool) => others.has(tool),
  });
  if (compiled.operations.length === 0) throw refused('NO_OPERATIONS');
  const { title, operations } = compiled;
  return {
    ...{ title, toolCount: operations.length, baseUrl: base.url, schemes: schemesOf(whole) },
    source: JSON.stringify(whole),
    packed: packTable(compiled, base.url),
  };
}

function schemesOf(document: Json): Readonly<Record<string, SecurityScheme>> {
  const given = fieldOf(fieldOf(document, 'components'), 'securitySchemes');
  if (!isRecord(given)) return {};
  const references = createReferences(document);
  const text = (scheme: Json | undefined, name: string): string => {
    const value = fieldOf(scheme, name);
    return typeof value === 'string' ? value.slice(0, 200) : '';
  };
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const scheme = references.resolve(value);
      return [name, { type: text(scheme, 'type'), in: text(scheme, 'in'), name: text(scheme, 'name'), scheme: text(scheme, 'scheme').toLowerCase() }];
    }),
  );
}

/** Requests the text from the main thread, which checks the address. */
function askForText(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const id = Math.random();
    const onReply = ({ id: answered, text, fault }: ThreadReply): void => {
      if (answered !== id) return;
      parentPort?.off('message', onReply);
      if (fault) reject(new UnreadableDocument(fault.reason as DocumentFault, fault.message));
      else resolve(text ?? '');
    };
    parentPort?.on('message', onReply);
    post({ kind: 'read', id, url });
  });
}

function refused(reason: string, details: Readonly<Record<string, unknown>> = {}): CompileFault {
  return new CompileFault(reason, reason, details);
}

function faultMessage(fault: unknown): ThreadMessage {
  const message = messageOf(fault);
  if (fault instanceof UnreadableDocument) return { kind: 'fault', reason: fault.reason, details: { why: message }, message };
  if (fault instanceof TooManyOperations)
    return { kind: 'fault', reason: 'TOO_LARGE', details: { why: `it has more than ${maxOperations} operations`, limit: maxOperations }, message };
  if (fault instanceof CompileFault && fault.reason !== undefined) return { kind: 'fault', reason: fault.reason, details: fault.details, message };
  return { kind: 'fault', message };
}

compile(workerData as CompileTask).then(
  (table) => post({ kind: 'end', table }),
  (fault: unknown) => post(faultMessage(fault)),
);
