// Defines what the HTTP and stdio adapters share for the stateless protocol revision 2026-07-28.
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '#lib/values';

export interface StatelessParts {
  readonly client: { readonly name: string; readonly version: string };
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Answers a question from the server. Rejects for unknown questions. */
  answer(method: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>;
}

/** A JSON-RPC message, or a part of one. */
export type Message = Readonly<Record<string, unknown>>;

export const version = '2026-07-28';
/** Error code of a server that does not support the requested revision. */
export const unsupportedVersion = -32_022;
/** Maximum number of requests for one call to a server that keeps asking questions. */
export const maxRounds = 10;
const prefix = 'io.modelcontextprotocol/';

/** Returns the parameters of a request with the metadata that replaces the handshake. */
export function withMetadata(params: Message, { client, capabilities }: StatelessParts): Message {
  const given = isRecord(params['_meta']) ? params['_meta'] : {};
  const own = { [`${prefix}protocolVersion`]: version, [`${prefix}clientInfo`]: client, [`${prefix}clientCapabilities`]: capabilities };
  return { ...params, _meta: { ...given, ...own } };
}

export function paramsOf(request: Message): Message {
  return isRecord(request['params']) ? request['params'] : {};
}

/** Returns the result if it requests input from the client. */
export function inputRequestOf({ result }: Message): Message | undefined {
  return isRecord(result) && result['resultType'] === 'input_required' ? result : undefined;
}

/** Answers the questions in a result; returns the parameters to add when the request is repeated. */
export async function answersTo({ inputRequests, requestState }: Message, parts: StatelessParts, signal: AbortSignal): Promise<Message> {
  const inputResponses: Record<string, unknown> = {};
  for (const [key, wish] of Object.entries(isRecord(inputRequests) ? inputRequests : {})) {
    if (!isRecord(wish)) continue;
    inputResponses[key] = await parts.answer(String(wish['method']), paramsOf(wish), signal);
  }
  return { inputResponses, ...(requestState === undefined ? {} : { requestState }) };
}

/** Converts the result of a discovery into the result of a handshake. */
export function handshakeOf(result: Message): Message {
  const meta = isRecord(result['_meta']) ? result['_meta'] : {};
  const serverInfo = meta[`${prefix}serverInfo`] ?? result['serverInfo'] ?? { name: 'server', version: '' };
  return { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: result['capabilities'] ?? {}, serverInfo };
}

/** Returns whether the result of a discovery lists this revision. */
export function isStateless(result: unknown): result is Message {
  return isRecord(result) && listsVersion(result['supportedVersions']);
}

export function listsVersion(given: unknown): boolean {
  return Array.isArray(given) && given.includes(version);
}
