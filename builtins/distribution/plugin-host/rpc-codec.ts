// Encodes values for the RPC channel: data that structured clone accepts, and tags for functions, errors, signals and URLs.
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
  readonly [mark]: 'fn' | 'error' | 'signal' | 'url';
  readonly [key: string]: unknown;
}

/**
 * Returns the wire form of a value. Class instances become `undefined`, because a request or a socket would give access to the server. Throws a
 * `TypeError` that names any other value that cannot be sent.
 */
export function encode(value: unknown, holder: Holder, known = new Map<object, unknown>()): unknown {
  if (typeof value === 'symbol') throw new TypeError(`a symbol (${String(value)}) cannot be sent to another process`);
  if (typeof value === 'function') return { [mark]: 'fn', id: holder.hold(value as Held) };
  if (typeof value !== 'object' || value === null || isCloned(value)) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  if (value instanceof Error) return encodeError(value, holder, known);
  if (value instanceof AbortSignal) {
    return { [mark]: 'signal', id: holder.holdSignal(value), ...(value.aborted ? { reason: encode(value.reason, holder, known) } : {}) };
  }
  if (value instanceof URL) return { [mark]: 'url', href: value.href };
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    known.set(value, list);
    for (const one of value) list.push(encode(one, holder, known));
    return list;
  }
  if (![null, Object.prototype].includes(Object.getPrototypeOf(value) as object | null)) return undefined;
  if (mark in value) throw new TypeError(`an object with the key '${mark}' cannot be sent to another process`);
  const made: Record<string, unknown> = {};
  known.set(value, made);
  // Methods stay bound to their object.
  for (const [key, one] of Object.entries(value))
    made[key] = encode(typeof one === 'function' ? (...args: unknown[]) => (one as Held).apply(value, args) : one, holder, known);
  return made;
}

/** Returns the value for a wire form that {@link encode} created. */
export function decode(wire: unknown, finder: Finder, known = new Map<object, unknown>()): unknown {
  if (typeof wire !== 'object' || wire === null || isCloned(wire)) return wire;
  const before = known.get(wire);
  if (before !== undefined) return before;
  if (mark in wire) return untag(wire as Tagged, finder, known);
  if (Array.isArray(wire)) {
    const list: unknown[] = [];
    known.set(wire, list);
    for (const one of wire) list.push(decode(one, finder, known));
    return list;
  }
  const made: Record<string, unknown> = {};
  known.set(wire, made);
  for (const [key, one] of Object.entries(wire)) {
    const value = decode(one, finder, known);
    // Defined instead of assigned, because a remote `__proto__` must not change a prototype.
    if (key === '__proto__') Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true });
    else made[key] = value;
  }
  return made;
}

/** Returns the id of an encoded function. */
export function heldIdOf(wire: object): string | undefined {
  const { [mark]: kind, id } = wire as Partial<Tagged>;
  return kind === 'fn' ? String(id) : undefined;
}

function untag(wire: Tagged, finder: Finder, known: Map<object, unknown>): unknown {
  const { [mark]: kind, id } = wire;
  if (kind === 'fn') return finder.stubOf(String(id));
  if (kind === 'url') return new URL(String(wire['href']));
  if (kind === 'error') {
    const { name, message, stack, fields } = wire;
    const error = new Error(String(message));
    known.set(wire, error);
    const own = isRecord(fields) ? (decode(fields, finder, known) as object) : {};
    return Object.assign(error, { name: String(name), stack: String(stack) }, own);
  }
  const controller = finder.signalOf(String(id));
  if ('reason' in wire) controller.abort(decode(wire['reason'], finder, known));
  return controller.signal;
}

function encodeError(error: Error, holder: Holder, known: Map<object, unknown>): Tagged {
  const { name, message, stack = '' } = error;
  const fields: Record<string, unknown> = {};
  const wire: Tagged = { [mark]: 'error', name, message, stack, fields };
  known.set(error, wire);
  for (const [key, one] of Object.entries(error)) if (typeof one !== 'function') fields[key] = encode(one, holder, known);
  if (error.cause !== undefined) fields['cause'] = encode(error.cause, holder, known);
  return wire;
}

/** Returns whether structured clone can copy the value; the values of maps and sets must be data. */
function isCloned(value: object): boolean {
  return [Date, RegExp, Map, Set, ArrayBuffer].some((type) => value instanceof type) || ArrayBuffer.isView(value);
}

/** Limits of one message. A shared value is counted each time it occurs, because printing or copying repeats it. */
const mostOf = { values: 200_000, depth: 100, bytes: 32 * 1024 * 1024 } as const;

/** Throws a `RangeError` for a message that exceeds {@link mostOf} or contains a cycle. Visits each object once. */
export function refuseOversized(message: unknown): void {
  const sizes = new Map<object, { readonly values: number; readonly bytes: number } | undefined>();
  const measure = (value: unknown, depth: number): { readonly values: number; readonly bytes: number } => {
    if (typeof value === 'string') return { values: 1, bytes: value.length * 2 };
    if (typeof value !== 'object' || value === null) return { values: 1, bytes: 8 };
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return { values: 1, bytes: value.byteLength };
    const known = sizes.get(value);
    if (known) return known;
    if (sizes.has(value)) throw new RangeError('a message contains itself');
    if (depth > mostOf.depth) throw new RangeError(`a message is nested more than ${mostOf.depth} levels deep`);
    sizes.set(value, undefined);
    const inner: Iterable<unknown> = value instanceof Map ? [...value.entries()].flat() : value instanceof Set ? value : Object.values(value);
    let [values, bytes] = [Array.isArray(value) ? Math.max(1, value.length) : 1, 16];
    for (const one of inner) {
      const size = measure(one, depth + 1);
      [values, bytes] = [values + size.values, bytes + size.bytes];
      if (values > mostOf.values || bytes > mostOf.bytes) break;
    }
    if (values > mostOf.values) throw new RangeError(`a message has more than ${mostOf.values} values`);
    if (bytes > mostOf.bytes) throw new RangeError(`a message has more than ${mostOf.bytes / 1024 / 1024} MB`);
    const size = { values, bytes };
    sizes.set(value, size);
    return size;
  };
  measure(message, 0);
}
