// Encodes values for the RPC channel as JSON, with tags for functions, errors, signals, and data that JSON lacks.
import { isRecord } from '#lib/values';

export type Held = (...args: unknown[]) => unknown;

export interface Holder {
  /** Stores a function and returns its id, which the other side uses to call it. */
  hold(fn: Held): string;
  holdSignal(signal: AbortSignal): string;
}

export interface Finder {
  /** Returns a function that calls the remote function. */
  stubOf(id: string): Held;
  signalOf(id: string): AbortController;
}

const mark = '$crosses';
interface Tagged {
  readonly [mark]: 'fn' | 'error' | 'signal' | 'data';
  readonly [key: string]: unknown;
}

/** Data that JSON lacks, by type. `write` returns the encoded content, or `undefined` for other values. */
const dataTypes: Readonly<Record<string, { write(value: unknown): unknown; read(content: never): unknown }>> = {
  undefined: { write: (value) => (value === undefined ? '' : undefined), read: () => undefined },
  number: { write: (value) => (typeof value === 'number' ? String(value) : undefined), read: (text: string) => Number(text) },
  url: { write: (value) => (value instanceof URL ? value.href : undefined), read: (href: string) => new URL(href) },
  date: { write: (value) => (value instanceof Date ? value.getTime() : undefined), read: (ms: number) => new Date(ms) },
  buffer: { write: (value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : undefined), read: (bytes: Uint8Array) => bytes.buffer },
  bytes: {
    write: (value) => (value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') : undefined),
    read: (text: string) => new Uint8Array(Buffer.from(text, 'base64')),
  },
  map: { write: (value) => (value instanceof Map ? [...value] : undefined), read: (entries: [unknown, unknown][]) => new Map(entries) },
  set: { write: (value) => (value instanceof Set ? [...value] : undefined), read: (list: unknown[]) => new Set(list) },
};

/**
 * Returns the wire form of a value. Other class instances become `undefined`, because a request or a socket would give access to the server, and so does an
 * object inside itself. Throws a `TypeError` that names any other value that cannot be sent.
 */
export function encode(value: unknown, holder: Holder, above: readonly unknown[] = []): unknown {
  if (typeof value === 'symbol' || typeof value === 'bigint') throw new TypeError(`a ${typeof value} (${String(value)}) cannot be sent to another process`);
  if (typeof value === 'function') return { [mark]: 'fn', id: holder.hold(value as Held) };
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value;
  const inner = (one: unknown): unknown => encode(one, holder, [...above, value]);
  if (above.includes(value)) return inner(undefined);
  if (Array.isArray(value)) return value.map(inner);
  for (const [type, { write }] of Object.entries(dataTypes)) {
    const content = write(value);
    if (content !== undefined) return { [mark]: 'data', type, content: inner(content) };
  }
  if (value instanceof Error) return encodeError(value, inner);
  if (value instanceof AbortSignal) return { [mark]: 'signal', id: holder.holdSignal(value), ...(value.aborted ? { reason: inner(value.reason) } : {}) };
  const object = value as object;
  if (![null, Object.prototype].includes(Object.getPrototypeOf(object) as object | null)) return inner(undefined);
  if (mark in object) throw new TypeError(`an object with the key '${mark}' cannot be sent to another process`);
  // Methods stay bound to their object.
  const bound = (one: unknown): unknown => (typeof one === 'function' ? (...args: unknown[]) => (one as Held).apply(object, args) : one);
  return Object.fromEntries(Object.entries(object).map(([key, one]) => [key, inner(bound(one))]));
}

/** Returns the value for a wire form that {@link encode} created. */
export function decode(wire: unknown, finder: Finder): unknown {
  if (typeof wire !== 'object' || wire === null) return wire;
  if (mark in wire) return untag(wire as Tagged, finder);
  if (Array.isArray(wire)) return wire.map((one) => decode(one, finder));
  // Not assigned, because a remote `__proto__` must not change a prototype.
  return Object.fromEntries(Object.entries(wire).map(([key, one]) => [key, decode(one, finder)]));
}

/** Returns the id of an encoded function. */
export function heldIdOf(wire: object): string | undefined {
  const { [mark]: kind, id } = wire as Partial<Tagged>;
  return kind === 'fn' ? String(id) : undefined;
}

function untag(wire: Tagged, finder: Finder): unknown {
  const { [mark]: kind, id, type, content } = wire;
  if (kind === 'fn') return finder.stubOf(String(id));
  if (kind === 'data') return dataTypes[String(type)]?.read(decode(content, finder) as never);
  if (kind === 'error') {
    const { name, message, stack, fields } = wire;
    const texts = { name: String(name), message: String(message), stack: String(stack) };
    return Object.assign(new Error(), isRecord(fields) ? decode(fields, finder) : {}, texts);
  }
  const controller = finder.signalOf(String(id));
  if ('reason' in wire) controller.abort(decode(wire['reason'], finder));
  return controller.signal;
}

function encodeError(error: Error, inner: (value: unknown) => unknown): Tagged {
  const { name, message, stack = '', cause } = error;
  const own = Object.entries(error).filter(([, one]) => typeof one !== 'function');
  const fields = Object.fromEntries([...own, ...(cause === undefined ? [] : [['cause', cause] as const])].map(([key, one]) => [key, inner(one)]));
  return { [mark]: 'error', name, message, stack, fields };
}

/** Limits of one message of a plugin. */
export const mostOf = { values: 200_000, depth: 100, bytes: 32 * 1024 * 1024 } as const;

/** Character codes of JSON. */
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [list, listEnd, object, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Parses a message of a plugin. Throws a `RangeError`, before it creates a value, if the message exceeds {@link mostOf}. */
export function parseMessage(text: string): unknown {
  let [values, depth, isText] = [1, 0, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) isText = !isText;
    else if (isText) at += code === backslash ? 1 : 0;
    else if (code === comma) values++;
    else if (code === list || code === object) [values, depth] = [values + 1, depth + 1];
    else if (code === listEnd || code === objectEnd) depth--;
    if (depth > mostOf.depth) throw new RangeError(`a message is nested more than ${mostOf.depth} levels deep`);
    if (values > mostOf.values) throw new RangeError(`a message has more than ${mostOf.values} values`);
  }
  return JSON.parse(text);
}
