// From a request to a compiled document: fetch, parse, check, choose the server, compile.
import { readFile } from 'node:fs/promises';
import type { KernelError } from 'agent-harness/kernel';
import { chooseBaseUrl } from './base-url.ts';
import { compileDocument, maxOperations, TooManyOperations } from './compile-document.ts';
import type { ConnectRequest } from './connections.ts';
import { callerName, finderName } from './declare-tools.ts';
import { describeDocument } from './describe-document.ts';
import type { Entry } from './entry.ts';
import type { ErrorReason } from './error-table.ts';
import { fetchDocument } from './fetch-document.ts';
import { parseDocument, UnreadableDocument, withParts } from './read-document.ts';
import { leadsInside } from './send.ts';
import { isRecord, type CompiledDocument, type Json } from './table.ts';
import { packTable } from './table-file.ts';

export interface Compiled {
  readonly document: CompiledDocument;
  readonly baseUrl: string;
  readonly isPublicOnly: boolean;
  /** The document as JSON, with its parts. */
  readonly source: string;
}

export type MakeError = (reason: ErrorReason, details?: Readonly<Record<string, unknown>>) => KernelError;
type IsTaken = (name: string) => boolean;

/** Rejects with an error of the plugin's table. */
export async function compileRequest(request: ConnectRequest, signal: AbortSignal, isTaken: IsTaken, makeError: MakeError): Promise<Compiled> {
  try {
    const document = await readDocument(request, signal, makeError);
    const version = checkKind(document, makeError);
    const whole = await withParts(document as Json, request.specUrl, (url) => fetchDocument(url, true, signal));
    const base = chooseBaseUrl(whole, request.baseUrl, request.specUrl);
    if (!base.ok) throw makeError(({ missing: 'NO_BASE_URL', invalid: 'BASE_URL_INVALID', private: 'BASE_URL_PRIVATE' } as const)[base.why], { url: base.url });
    const isChosenByPerson = request.baseUrl !== undefined || (request.specUrl !== undefined && new URL(request.specUrl).origin === new URL(base.url).origin);
    if (!isChosenByPerson && (await leadsInside(new URL(base.url).hostname))) throw makeError('BASE_URL_PRIVATE', { url: base.url });
    if (request.auth?.kind === 'oauth' && request.baseUrl === undefined) throw makeError('BASE_URL_NEEDED', { url: base.url });
    const compiled = await compileDocument(whole, optionsFor(request.name, version, ownNamesOf(request.auth), isTaken));
    if (compiled.operations.length === 0) throw makeError('NO_OPERATIONS');
    return { document: compiled, baseUrl: base.url, isPublicOnly: !isChosenByPerson, source: JSON.stringify(whole) };
  } catch (fault) {
    throw forClient(fault, makeError);
  }
}

/** `undefined` where the saved document is missing or cannot be read. */
export async function compileSaved(name: string, entry: Entry, documentPath: string, isTaken: IsTaken): Promise<Buffer | undefined> {
  const text = await readFile(documentPath, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const document = await parseDocument(text);
  const kind = describeDocument(document);
  if (kind.kind !== 'openapi') return undefined;
  return packTable(await compileDocument(document as Json, optionsFor(name, kind.version, ownNamesOf(entry.auth), isTaken)), entry.baseUrl);
}

async function readDocument({ specUrl, spec }: ConnectRequest, signal: AbortSignal, makeError: MakeError): Promise<unknown> {
  if ((specUrl === undefined) === (spec === undefined)) throw makeError('SOURCE_MISSING');
  if (specUrl !== undefined) {
    if (!isWebAddress(specUrl)) throw makeError('SPEC_URL_INVALID');
    return parseDocument(await fetchDocument(specUrl, false, signal));
  }
  return typeof spec === 'string' ? parseDocument(spec) : spec;
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}

function checkKind(document: unknown, makeError: MakeError): string {
  const kind = describeDocument(document);
  if (kind.kind === 'swagger') throw makeError('VERSION_TOO_OLD');
  if (kind.kind === 'other' || !isRecord(document)) throw makeError('NOT_OPENAPI', { what: kind.kind === 'other' ? kind.what : 'no object' });
  return kind.version;
}

function optionsFor(connection: string, version: string, ownNames: readonly string[], isTaken: IsTaken): Parameters<typeof compileDocument>[1] {
  return { connection, version, ownNames, reserved: [finderName(connection), callerName(connection)], isTaken };
}

function ownNamesOf(auth: { readonly kind: string; readonly name?: string } | undefined): string[] {
  return auth?.name === undefined ? [] : [auth.name.toLowerCase()];
}

function forClient(fault: unknown, makeError: MakeError): unknown {
  if (fault instanceof UnreadableDocument) return makeError(fault.reason, { why: fault.message });
  if (fault instanceof TooManyOperations) return makeError('TOO_LARGE', { why: `it has more than ${maxOperations} operations`, limit: maxOperations });
  return fault;
}
