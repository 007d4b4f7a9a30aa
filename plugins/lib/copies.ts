// Resolves conflicts between copies of a map that were changed independently; all copies converge. Also runs in browsers.

/** The version of one entry in a copy. Times are ISO 8601 UTC. */
export interface Version {
  /** Content of the entry; meaningless for a deletion. */
  readonly value: string;
  readonly updatedAt: string;
  readonly deletedAt?: string | undefined;
}

/** Limits of one message between copies; the sender stays below them, and the receiver rejects larger messages. */
export const exchangeLimits = {
  /** Number of entries, including deletions. */
  entries: 500,
  /** Length of a key in UTF-16 code units. */
  key: 240,
  /** Length of a value in UTF-16 code units. */
  value: 20_000,
  /** Size of the JSON in bytes. */
  bytes: 1_000_000,
} as const;

/** Maximum time, in milliseconds, by which an entry may be ahead of the clock of the central copy. */
const clockSlackMs = 60_000;

/**
 * Returns a positive number if the first version wins, and 0 if both are equal. The newer version wins. If the times are equal, a deletion wins over a value,
 * and the greater value (by code units) wins over the other.
 */
export function compareVersions(one: Version, other: Version): number {
  const times = timeOfVersion(one) - timeOfVersion(other);
  if (times !== 0) return times;
  const deletions = Number(one.deletedAt !== undefined) - Number(other.deletedAt !== undefined);
  if (deletions !== 0 || one.deletedAt !== undefined) return deletions;
  return one.value === other.value ? 0 : one.value > other.value ? 1 : -1;
}

/** Returns the time of the last change in milliseconds since 1970. */
export function timeOfVersion({ updatedAt, deletedAt }: Version): number {
  return Math.max(Date.parse(updatedAt), deletedAt === undefined ? -Infinity : Date.parse(deletedAt));
}

/** Returns the effective time with millisecond precision; a time too far in the future becomes `now`. @param now milliseconds since 1970 */
export function settledTime(time: string, now: number): string {
  const at = Date.parse(time);
  return new Date(at > now + clockSlackMs ? now : at).toISOString();
}

/** Returns the time for a new change; always later than that of the replaced version, even if the clock is behind. */
export function nextTime(now: number, seen: string | undefined): string {
  return new Date(Math.max(now, seen === undefined ? 0 : Date.parse(seen) + 1)).toISOString();
}
