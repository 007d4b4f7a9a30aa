// Whether memory only grows: what is held after each collection rises, and never falls back. Pure.

/** What a plugin held at a time. */
export interface Sample {
  /** Milliseconds, as of `performance.now()`. */
  readonly at: number;
  readonly bytes: number;
}

export interface Growth {
  readonly fromBytes: number;
  readonly toBytes: number;
  readonly ms: number;
}

/** So that hours and days take the same room as minutes. */
const mostSamples = 128;
/** For a shorter time nobody says that it grows. */
const leastMs = 10 * 60_000;
const leastBytes = 24 * 1024 * 1024;
const parts = 4;

/** Adds a sample. Of the two that are nearest to each other one stays then, with the lower figure, which is nearer to what is really held. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const all = [...samples, sample];
  if (all.length <= mostSamples) return all;
  let nearest = 1;
  const gapAt = (at: number): number => (all[at + 1]?.at ?? Infinity) - (all[at - 1]?.at ?? 0);
  for (let at = 2; at < all.length - 1; at++) if (gapAt(at) < gapAt(nearest)) nearest = at;
  const [one, next] = [all[nearest], all[nearest + 1]] as [Sample, Sample];
  return [...all.slice(0, nearest), { at: next.at, bytes: Math.min(one.bytes, next.bytes) }, ...all.slice(nearest + 2)];
}

/** The lowest of each quarter of the time is what it held then, without garbage: it grows where each is higher than the one before, and the last twice the first. */
export function growthOf(samples: readonly Sample[]): Growth | undefined {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < leastMs) return undefined;
  const ms = last.at - first.at;
  const lows = Array.from({ length: parts }, () => Infinity);
  for (const { at, bytes } of samples) {
    const part = Math.min(parts - 1, Math.floor(((at - first.at) / ms) * parts));
    lows[part] = Math.min(lows[part] ?? Infinity, bytes);
  }
  const isRising = lows.every((low, at) => Number.isFinite(low) && (at === 0 || low > (lows[at - 1] ?? 0) * 1.05));
  const [fromBytes = 0] = lows;
  const toBytes = lows.at(-1) ?? 0;
  return isRising && toBytes >= fromBytes * 2 && toBytes - fromBytes >= leastBytes ? { fromBytes, toBytes, ms } : undefined;
}

/** As the rest of a sentence that begins with the plugin. */
export function sentenceOf({ fromBytes, toBytes, ms }: Growth): string {
  const mb = (bytes: number): number => Math.round(bytes / 1_048_576);
  const minutes = Math.round(ms / 60_000);
  const time = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
  return `has grown from ${mb(fromBytes)} to ${mb(toBytes)} MB in ${time} and gives nothing back; it is ended where it goes on.`;
}
