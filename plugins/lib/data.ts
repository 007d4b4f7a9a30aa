// Shapes of data that many keep. Runs in browsers, too.

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

/** JSON with sorted keys: equal values give equal texts. What has no JSON gives none: an empty text. */
export function stableJson(value: unknown): string {
  return (JSON.stringify(value, (_, inner: unknown) => (isMap(inner) ? sorted(inner) : inner)) as string | undefined) ?? '';
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(map: object): object {
  return Object.fromEntries(Object.entries(map).sort(([left], [right]) => (left < right ? -1 : 1)));
}
