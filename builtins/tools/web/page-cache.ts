// Caches recently read web pages, so that reading the next part of a long page does not fetch the page again.

/** A page as text. */
export interface Page {
  /** URL after redirects. */
  readonly url: string;
  readonly status: number;
  /** Content type as sent by the server. */
  readonly type: string;
  readonly title: string;
  readonly text: string;
  /** Whether the page has more text. */
  readonly isCut: boolean;
  /** Notes for the model, about truncation and how the page was read. */
  readonly notes: readonly string[];
}

export interface PageCache {
  find(key: string): Page | undefined;
  keep(keys: readonly string[], page: Page): void;
  clear(): void;
}

const keptMs = 5 * 60_000;
/** Maximum size of all pages together in bytes. */
const maxBytes = 20 * 1024 * 1024;

interface Kept {
  readonly page: Page;
  readonly keys: readonly string[];
  readonly bytes: number;
  readonly until: number;
}

/** @param now returns the time in milliseconds */
export function createPageCache(now: () => number): PageCache {
  const byKey = new Map<string, Kept>();
  let total = 0;

  const drop = (kept: Kept): void => {
    total -= kept.bytes;
    for (const key of kept.keys) if (byKey.get(key) === kept) byKey.delete(key);
  };

  return {
    find(key) {
      const kept = byKey.get(key);
      if (kept && kept.until <= now()) drop(kept);
      return byKey.get(key)?.page;
    },
    keep(keys, page) {
      const unique = [...new Set(keys)];
      for (const old of new Set(byKey.values())) if (old.until <= now() || unique.some((key) => old.keys.includes(key))) drop(old);
      const bytes = page.text.length * 2;
      if (bytes > maxBytes) return;
      for (const old of new Set(byKey.values())) {
        if (total + bytes <= maxBytes) break;
        drop(old);
      }
      const kept: Kept = { page, keys: unique, bytes, until: now() + keptMs };
      for (const key of unique) byKey.set(key, kept);
      total += bytes;
    },
    clear() {
      byKey.clear();
      total = 0;
    },
  };
}
