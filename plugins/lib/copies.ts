// Copies of one map that are changed apart from each other: which of two versions counts, so that all end alike. Runs in browsers, too.

/** What a copy says of one entry. Times are ISO 8601 UTC. */
export interface Version {
  /** Of a deletion it means nothing. */
  readonly value: string;
  readonly updatedAt: string;
  readonly deletedAt?: string | undefined;
}

/** What one message between copies may hold; whoever sends keeps below it, and whoever takes refuses what is above. */
export const exchangeLimits = {
  /** Entries, deletions included. */
  entries: 500,
  /** UTF-16 units of a key. */
  key: 240,
  /** UTF-16 units of a value. */
  value: 20_000,
  /** Bytes of JSON. */
  bytes: 1_000_000,
} as const;

/** How far ahead of the one that everybody copies from a time may be, in milliseconds. */
const clockSlackMs = 60_000;

/**
 * Above 0 where the first one counts: the newer one; at the same time a deletion; of two values the greater by code units. 0: they say
 * the same.
 */
export function compareVersions(one: Version, other: Version): number {
  const times = timeOfVersion(one) - timeOfVersion(other);
  if (times !== 0) return times;
  const deletions = Number(one.deletedAt !== undefined) - Number(other.deletedAt !== undefined);
  if (deletions !== 0 || one.deletedAt !== undefined) return deletions;
  return one.value === other.value ? 0 : one.value > other.value ? 1 : -1;
}

/** Of its last change: milliseconds since 1970. */
export function timeOfVersion({ updatedAt, deletedAt }: Version): number {
  return Math.max(Date.parse(updatedAt), deletedAt === undefined ? -Infinity : Date.parse(deletedAt));
}

/** The time as it counts, to the millisecond: one that is too far ahead is now. @param now milliseconds since 1970 */
export function settledTime(time: string, now: number): string {
  const at = Date.parse(time);
  return new Date(at > now + clockSlackMs ? now : at).toISOString();
}

/** When a change that is made now is said to be: later than what it changes, whatever the clock says. */
export function nextTime(now: number, seen: string | undefined): string {
  return new Date(Math.max(now, seen === undefined ? 0 : Date.parse(seen) + 1)).toISOString();
}
