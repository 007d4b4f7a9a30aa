// Converts a command of the desktop protocol into the HTTP request of its route.
import { textStart } from '#lib/text';
import { isRecord } from '#lib/values';
import type { Dispatch, Method, Route } from 'agent-harness/plugins/http';
import type { MakeError } from './error-table.ts';
import type { Command } from './frame.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Input {
  readonly params: Fields;
  readonly query: Fields;
  readonly body: unknown;
}

/**
 * A command that is named by its route key has separate `params`, `query` and `body`, as in the HTTP client; otherwise, all fields are in one object. Throws
 * errors that the client can fix.
 * @param chatId chat of the connection, used if the command names none
 */
export function planCall(route: Route, { command, data }: Command, chatId: string | undefined, makeError: MakeError): Dispatch {
  if (!isMirrored(route)) throw makeError('ONLY_IN_HTTP', { command, key: route.key });
  const [method = 'GET', pattern = '/'] = route.key.split(' ');
  const given = command === route.key ? splitFields(data, makeError) : sorted(data, route, pattern);
  const { params, query, body } = withChat(given, route, chatId);
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => segmentOf(name, params[name], makeError));
  const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => textsOf(name, value, makeError).map((text) => [name, text]))).toString();
  const isNeeded = method === 'POST' || method === 'PUT' || method === 'PATCH';
  return {
    method: method as Method,
    path: search === '' ? path : `${path}?${search}`,
    ...(body === undefined && !isNeeded ? {} : { body: body === undefined ? {} : body }),
  };
}

/** Returns whether the route takes and returns a single JSON value; pages, files and streams do not. */
export function isMirrored({ key, isRaw, mediaType, bodyKind = 'json' }: Route): boolean {
  return !isRaw && (mediaType === undefined || mediaType === 'application/json') && bodyKind !== 'raw' && bodyKind !== 'stream' && !key.endsWith('*');
}

function splitFields(data: Fields, makeError: MakeError): Input {
  const other = Object.keys(data).find((name) => name !== 'params' && name !== 'query' && name !== 'body');
  if (other !== undefined)
    throw makeError('INVALID_REQUEST', { why: `data of a route's key has params, query and body, not ${JSON.stringify(textStart(other, 40))}.` });
  const { params = {}, query = {}, body } = data;
  if (!isRecord(params) || !isRecord(query)) throw makeError('INVALID_REQUEST', { why: 'params and query must be objects.' });
  return { params, query, body };
}

function sorted(data: Fields, { schema }: Route, pattern: string): Input {
  const inPath = new Set([...pattern.matchAll(/:(\w+)/g)].map((match) => match[1]));
  const [inQuery, inBody] = [fieldsOf(schema.query), fieldsOf(schema.body)];
  const params: [string, unknown][] = [];
  const query: [string, unknown][] = [];
  const body: [string, unknown][] = [];
  for (const field of Object.entries(data)) {
    const [name] = field;
    const isBody = schema.body !== undefined && (inBody.has(name) || !inQuery.has(name));
    (inPath.has(name) ? params : isBody ? body : query).push(field);
  }
  return { params: Object.fromEntries(params), query: Object.fromEntries(query), body: schema.body ? Object.fromEntries(body) : undefined };
}

function withChat(input: Input, { schema }: Route, chatId: string | undefined): Input {
  const { query, body = {} } = input;
  if (chatId === undefined || query['chatId'] !== undefined || (isRecord(body) && body['chatId'] !== undefined)) return input;
  if (fieldsOf(schema.body).has('chatId')) return isRecord(body) ? { ...input, body: { ...body, chatId } } : input;
  return fieldsOf(schema.query).has('chatId') ? { ...input, query: { ...query, chatId } } : input;
}

function fieldsOf(schema: unknown): ReadonlySet<string> {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  return new Set(isRecord(properties) ? Object.keys(properties) : []);
}

/** An unpaired surrogate, which no URL can contain. */
const loneSurrogate = /\p{Surrogate}/u;

/** Encodes a path segment. Rejects `.` and `..`, which change the path, and empty segments. */
function segmentOf(name: string, value: unknown, makeError: MakeError): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (text === '' || text === '.' || text === '..' || loneSurrogate.test(text)) {
    throw makeError('INVALID_REQUEST', { why: `"${name}" must be a non-empty text or a number.` });
  }
  return encodeURIComponent(text);
}

function textsOf(name: string, value: unknown, makeError: MakeError): string[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => (Array.isArray(one) ? [] : textsOf(name, one, makeError)));
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  throw makeError('INVALID_REQUEST', { why: `${JSON.stringify(textStart(name, 40))} is part of an address, so it must be a text, a number or a boolean.` });
}
