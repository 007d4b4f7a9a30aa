// Versions as in `1.4.2` and `2.0.0-beta.1` (semver.org), and which of two is newer.
import compare from 'semver/functions/compare.js';
import valid from 'semver/functions/valid.js';

/** Nothing before the numbers, and no build metadata: two versions that differ are never the same. */
export function isVersion(text: string): boolean {
  return valid(text) === text;
}

/** Less than 0 where `one` is older, 0 for the same, more than 0 where it is newer. Contract: both are versions. */
export function compareVersions(one: string, other: string): number {
  return compare(one, other);
}
