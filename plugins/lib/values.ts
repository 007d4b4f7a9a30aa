// Copies, compares, serializes and parses values. Also runs in browsers.

/**
 * A map with a maximum number of entries: drops the entry that was set longest ago. Setting a key again makes its entry the newest; reading it does not. Uses
 * no package, because packages for this purpose have thousands of lines for lifetimes, sizes and counts.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #limit: number;
  readonly #onForgotten: (value: V, key: K) => void;

  /** @param limit maximum number of entries @param onForgotten called for entries that the limit dropped, not for deleted entries */
  constructor(limit: number, onForgotten: (value: V, key: K) => void = () => undefined) {
    super();
    this.#limit = limit;
    this.#onForgotten = onForgotten;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size <= this.#limit) return this;
    for (const [oldest, forgotten] of this) {
      this.delete(oldest);
      this.#onForgotten(forgotten, oldest);
      break;
    }
    return this;
  }
}

/** Makes a type deeply read-only. */
export type Frozen<T> = T extends readonly unknown[] | object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** Deep-copies a JSON value. Many times faster than `structuredClone`, which supports more types. */
export function copyJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Returns a deep copy of a JSON value. Replaces each string that equals a key of the map. */
export function replaceTexts<T>(value: T, texts: ReadonlyMap<string, string>): T {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) => (typeof inner === 'string' ? (texts.get(inner) ?? inner) : inner)) as T;
}

/** Serializes a value with sorted keys: equal values give equal strings. Returns an empty string for a value without a JSON form. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isRecord(inner) ? sorted(inner) : inner)) ?? '';
}

/** Returns whether the value is a JSON object: neither a list nor `null`. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(map: object): object {
  return Object.fromEntries(Object.entries(map).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Parses JSON; returns `undefined` for invalid text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the fields of a JSON object; an empty object for any other text. */
export function recordIn(text: string): Readonly<Record<string, unknown>> {
  const found = jsonOf(text);
  return isRecord(found) ? found : {};
}

/** Parses the JSON of a model's answer, which may be in a fenced block. */
export function answeredJson(answer: string): unknown {
  return jsonOf(answer.replace(/^\s*```(?:json)?\s*|\s*```\s*$/g, ''));
}

/** Patterns of the first bytes in hex. Uses no package, because such packages have tables of hundreds of types, which a page should not load. */
const pictures: readonly (readonly [start: RegExp, mimeType: string])[] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^474946383[79]61/, 'image/gif'],
  [/^52494646.{8}57454250/, 'image/webp'],
];

/** Returns the media type of an image, detected from its bytes; `undefined` for types that models or browsers do not support, or that may contain scripts. */
export function pictureTypeOf(bytes: Uint8Array): string | undefined {
  const start = Array.from(bytes.subarray(0, 12), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return pictures.find(([magic]) => magic.test(start))?.[1];
}
