// Values that many keep and compare. Runs in browsers, too.

/**
 * A map that forgets: beyond its limit goes what was set longest ago. To set a key again makes it the newest; to read one does
 * not. Our own, because packages for it bring lifetimes, sizes and counts in thousands of lines.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #limit: number;
  readonly #onForgotten: (value: V, key: K) => void;

  /** @param onForgotten told of what went beyond the limit, not of what was deleted */
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

/** What nobody writes to, at any depth. */
export type Frozen<T> = T extends readonly unknown[] | object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** A copy at every depth of a value that is JSON. Many times as fast as `structuredClone`, which is made for more. */
export function copyJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Returns a deep copy of a JSON value in which each text that equals a key of the map is replaced. */
export function replaceTexts<T>(value: T, texts: ReadonlyMap<string, string>): T {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) => (typeof inner === 'string' ? (texts.get(inner) ?? inner) : inner)) as T;
}

/** JSON with sorted keys: equal values give equal texts. What has no JSON gives none: an empty text. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isRecord(inner) ? sorted(inner) : inner)) ?? '';
}

/** Whether it is what JSON calls an object: no list, and not `null`. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(map: object): object {
  return Object.fromEntries(Object.entries(map).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** What a text says in JSON; `undefined` for one that is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The fields of the object that a text is in JSON; none for any other text. */
export function recordIn(text: string): Readonly<Record<string, unknown>> {
  const found = jsonOf(text);
  return isRecord(found) ? found : {};
}

/** What a model's answer says in JSON: it may stand between fences. */
export function answeredJson(answer: string): unknown {
  return jsonOf(answer.replace(/^\s*```(?:json)?\s*|\s*```\s*$/g, ''));
}

/** By the first bytes, in hex. Packages that know hundreds of types read them later, and by tables that a page need not load. */
const pictures: readonly (readonly [start: RegExp, mimeType: string])[] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^474946383[79]61/, 'image/gif'],
  [/^52494646.{8}57454250/, 'image/webp'],
];

/** The picture that bytes are, by themselves and never by a name: of the types that models and browsers show and that carry no script. */
export function pictureTypeOf(bytes: Uint8Array): string | undefined {
  const start = Array.from(bytes.subarray(0, 12), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return pictures.find(([magic]) => magic.test(start))?.[1];
}
