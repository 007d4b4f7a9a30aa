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
