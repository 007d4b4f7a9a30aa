// Resolves conflicts between independently changed copies of one map, so that all converge. Runs in browsers, too.

/** The version of one entry in a copy. Times are ISO 8601 UTC. */
export interface Version {
  /** Meaningless for a deletion. */
  readonly value: string;
  readonly updatedAt: string;
  readonly deletedAt?: string | undefined;
}

/** Limits of one message between copies; the sender stays below them, and the receiver rejects larger ones. */
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

/** Milliseconds that a time may be ahead of the clock of the central copy. */
const clockSlackMs = 60_000;

/**
 * Positive if the first one wins: the newer one; at the same time a deletion; of two values the greater by code units. 0: they are
 * equal.
 */
export function compareVersions(one: Version, other: Version): number {
  const times = timeOfVersion(one) - timeOfVersion(other);
  if (times !== 0) return times;
  const deletions = Number(one.deletedAt !== undefined) - Number(other.deletedAt !== undefined);
  if (deletions !== 0 || one.deletedAt !== undefined) return deletions;
  return one.value === other.value ? 0 : one.value > other.value ? 1 : -1;
}

/** Time of its last change: milliseconds since 1970. */
export function timeOfVersion({ updatedAt, deletedAt }: Version): number {
  return Math.max(Date.parse(updatedAt), deletedAt === undefined ? -Infinity : Date.parse(deletedAt));
}

/** Returns the effective time, in milliseconds precision: one that is too far ahead becomes now. @param now milliseconds since 1970 */
export function settledTime(time: string, now: number): string {
  const at = Date.parse(time);
  return new Date(at > now + clockSlackMs ? now : at).toISOString();
}

/** Returns the time for a new change: later than the version it replaces, regardless of the clock. */
export function nextTime(now: number, seen: string | undefined): string {
  return new Date(Math.max(now, seen === undefined ? 0 : Date.parse(seen) + 1)).toISOString();
}
