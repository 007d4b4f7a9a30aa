// Versions as in `1.4.2` and `2.0.0-beta.1` (semver.org), and which of two is newer.

const grammar = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z-]{1,30}(?:\.[0-9A-Za-z-]{1,30}){0,9}))?$/;

export function isVersion(text: string): boolean {
  return grammar.test(text);
}

/** Less than 0 where `one` is older, 0 for the same, more than 0 where it is newer. Contract: both are versions. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [partsOf(one), partsOf(other)];
  for (let at = 0; at < 3; at++) {
    const difference = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  // A preview is older than what it previews.
  if (left.preview.length === 0 || right.preview.length === 0) return right.preview.length - left.preview.length;
  for (let at = 0; at < Math.max(left.preview.length, right.preview.length); at++) {
    const difference = comparePreviews(left.preview[at], right.preview[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly preview: readonly string[] } {
  const [, major, minor, patch, preview] = grammar.exec(version) ?? [];
  return { numbers: [major, minor, patch].map(Number), preview: preview?.split('.') ?? [] };
}

function comparePreviews(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined);
  const [isNumber, isOtherNumber] = [one, other].map((part) => /^\d+$/.test(part));
  if (isNumber && isOtherNumber) return Number(one) - Number(other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}
