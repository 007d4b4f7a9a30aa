// Parses and compares versions such as `1.4.2` and `2.0.0-beta.1` (semver.org).
import compare from 'semver/functions/compare.js';
import valid from 'semver/functions/valid.js';

/** Returns whether the text is a version without prefix and build metadata: two different texts are never the same version. */
export function isVersion(text: string): boolean {
  return valid(text) === text;
}

/** Returns less than 0 if `one` is older, 0 if equal, more than 0 if newer. Contract: both are versions. */
export function compareVersions(one: string, other: string): number {
  return compare(one, other);
}
