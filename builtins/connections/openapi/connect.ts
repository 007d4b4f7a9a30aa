// Compiles the document of a connection request: fetches it, compiles it in a worker thread, and checks its server.
import { readFile } from 'node:fs/promises';
import type { KernelError } from 'agent-harness/kernel';
import { normalizeHeaderValue, normalizeKey, tryNormalize } from '#lib/setting-texts';
import { compileInThread, CompileFault, type CompiledTable } from './compile-thread.ts';
import { credentialNames, withSchemes, type Auth } from './credentials.ts';
import { authsOf, type Entry } from './entry.ts';
import { errorTable, type ErrorReason } from './error-table.ts';
import { fetchDocument } from './fetch-document.ts';
import { UnreadableDocument } from './read-document.ts';
import { leadsInside } from './send.ts';

export interface ConnectRequest {
  readonly name: string;
  readonly specUrl?: string;
  readonly spec?: unknown;
  readonly baseUrl?: string;
  readonly auth?: Auth | readonly Auth[];
  readonly autoApproveReads?: boolean;
}

export interface Compiled extends CompiledTable {
  readonly isPublicOnly: boolean;
  /** Credentials, with the schemes of the document that they belong to. */
  readonly auths: readonly Auth[];
}

export type MakeError = (reason: ErrorReason, details?: Readonly<Record<string, unknown>>) => KernelError;

/** Compiles the document of a request. Rejects with an error from the plugin's error table. `taken`: names of other tools. */
export async function compileRequest(request: ConnectRequest, signal: AbortSignal, taken: readonly string[], makeError: MakeError): Promise<Compiled> {
  try {
    const { name, specUrl, baseUrl } = request;
    const auths = normalizeAuths(listOfAuths(request.auth), makeError);
    const task = {
      ...{ name, taken, spec: await readDocument(request, signal, makeError), ownNames: credentialNames(auths) },
      ...(specUrl === undefined ? {} : { specUrl }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
    };
    const table = await compileInThread(task, (url) => fetchDocument(url, true, signal), signal);
    const isChosenByPerson = baseUrl !== undefined || (specUrl !== undefined && new URL(specUrl).origin === new URL(table.baseUrl).origin);
    if (!isChosenByPerson && (await leadsInside(new URL(table.baseUrl).hostname))) throw makeError('BASE_URL_PRIVATE', { url: table.baseUrl });
    if (baseUrl === undefined && auths.some(({ kind }) => kind === 'oauth')) throw makeError('BASE_URL_NEEDED', { url: table.baseUrl });
    const matched = withSchemes(auths, table.schemes);
    if (!matched.ok) throw makeError('SCHEME_UNKNOWN', { scheme: matched.scheme, known: Object.keys(table.schemes).slice(0, 20).join(', ') || 'none' });
    return { ...table, isPublicOnly: !isChosenByPerson, auths: matched.auths };
  } catch (fault) {
    throw forClient(fault, makeError);
  }
}

/** Compiles a saved document; `undefined` if it is missing or unreadable. */
export async function compileSaved(
  name: string,
  entry: Entry,
  documentPath: string,
  taken: readonly string[],
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const spec = await readFile(documentPath, 'utf8').catch(() => undefined);
  if (spec === undefined) return undefined;
  const task = { name, spec, taken, baseUrl: entry.baseUrl, ownNames: credentialNames(authsOf(entry)) };
  const table = await compileInThread(task, () => Promise.reject(new UnreadableDocument('NOT_FETCHED', 'its referenced documents are missing')), signal).catch(
    (fault: unknown) => {
      if (fault instanceof CompileFault) return undefined;
      throw fault;
    },
  );
  return table?.packed;
}

/** Normalises bearer tokens and header values to the form in which they are sent. Throws `CREDENTIAL_INVALID`. */
function normalizeAuths(auths: readonly Auth[], makeError: MakeError): readonly Auth[] {
  return auths.map((auth) => {
    if (auth.kind !== 'bearer' && auth.kind !== 'header') return auth;
    const { text = '', fault } = auth.kind === 'bearer' ? tryNormalize(normalizeKey, auth.token) : tryNormalize(normalizeHeaderValue, auth.value);
    if (fault !== undefined)
      throw makeError('CREDENTIAL_INVALID', { what: auth.kind === 'bearer' ? 'token' : `value of the header '${auth.name}'`, why: fault });
    return auth.kind === 'bearer' ? { ...auth, token: text } : { ...auth, value: text };
  });
}

export function listOfAuths(auth: ConnectRequest['auth']): readonly Auth[] {
  return auth === undefined ? [] : Array.isArray(auth) ? (auth as readonly Auth[]) : [auth as Auth];
}

async function readDocument({ specUrl, spec }: ConnectRequest, signal: AbortSignal, makeError: MakeError): Promise<unknown> {
  if ((specUrl === undefined) === (spec === undefined)) throw makeError('SOURCE_MISSING');
  if (specUrl === undefined) return spec;
  if (!isWebAddress(specUrl)) throw makeError('SPEC_URL_INVALID');
  return fetchDocument(specUrl, false, signal);
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}

function forClient(fault: unknown, makeError: MakeError): unknown {
  if (fault instanceof UnreadableDocument) return makeError(fault.reason, { why: fault.message });
  const reason = fault instanceof CompileFault ? fault.reason : undefined;
  return reason !== undefined && Object.hasOwn(errorTable, reason) ? makeError(reason as ErrorReason, (fault as CompileFault).details) : fault;
}
