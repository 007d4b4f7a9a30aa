// Describes a failed call for the log without secrets, with enough data to count and compare failures.
import { sha256 } from '#lib/hash';
import { redactSecrets } from '#lib/secrets';
import { stableJson } from '#lib/values';
import { textStart } from '#lib/text';

/** UTF-16 units. */
const maxErrorLength = 300;
const removed = '[redacted]';

/** Patterns of likely secrets, besides known ones: a word removed wrongly costs a log little. */
const likely: readonly RegExp[] = [
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{6,}/gi,
  /(?<=:\/\/)[^\s/@]+(?=@)/g,
  // Any long, mixed text, which may be a key.
  /\b(?=[\w+-]*\d)(?=[\w+-]*[A-Za-z])[\w+-]{32,}={0,2}/g,
];
const namedSecret = /\b([\w-]*(?:key|token|secret|password|passwd|pwd|credential|authorization|cookie)[\w-]*["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;&]+)/gi;

/** Returns the first non-blank line, truncated and without likely secrets. @param known values that are always removed */
export function describeError(output: string, known: readonly string[]): string {
  const line = output.split('\n').find((one) => one.trim() !== '') ?? '';
  // Truncates first, so that a line of megabytes takes no time; the margin prevents a partial secret at the end.
  let text = textStart(line.trim(), 8 * maxErrorLength);
  for (const value of known) if (value.length >= 6) text = text.replaceAll(value, removed);
  // Before the names: otherwise `Authorization: Bearer …` would lose the word and keep the secret.
  for (const secret of likely) text = text.replace(secret, removed);
  text = redactSecrets(text);
  text = text.replace(namedSecret, `$1${removed}`);
  return textStart(text, maxErrorLength);
}

/** SHA-256 in hex; equal arguments give equal digests, in any key order. */
export function digestOf(args: unknown): string {
  return sha256(stableJson(args));
}
