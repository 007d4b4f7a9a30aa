// Parses and compares versions such as `1.4.2` and `2.0.0-beta.1` (semver.org).
import compare from 'semver/functions/compare.js';
import valid from 'semver/functions/valid.js';

/** Returns whether the text is a valid version without prefix or build metadata. */
export function isVersion(text: string): boolean {
  return valid(text) === text;
}

/** Compares two versions. Returns a negative number if `one` is older, 0 if both are equal, a positive number if `one` is newer. Contract: both are versions. */
export function compareVersions(one: string, other: string): number {
  return compare(one, other);
}
