// Describes a failed call for the failure log: without secrets, but with enough data to count and compare failures.
import { sha256 } from '#lib/hash';
import { redactSecrets } from '#lib/secrets';
import { stableJson } from '#lib/values';
import { textStart } from '#lib/text';

/** Maximum length of an error in UTF-16 code units. */
const maxErrorLength = 300;
const removed = '[redacted]';

/** Patterns of likely secrets, in addition to known secrets. In a log, removing a harmless word does little damage. */
const likely: readonly RegExp[] = [
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{6,}/gi,
  /(?<=:\/\/)[^\s/@]+(?=@)/g,
  // Any long text of mixed characters may be a key.
  /\b(?=[\w+-]*\d)(?=[\w+-]*[A-Za-z])[\w+-]{32,}={0,2}/g,
];
const namedSecret = /\b([\w-]*(?:key|token|secret|password|passwd|pwd|credential|authorization|cookie)[\w-]*["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;&]+)/gi;

/** Returns the first non-blank line, truncated and without likely secrets. @param known secret values that are always removed */
export function describeError(output: string, known: readonly string[]): string {
  const line = output.split('\n').find((one) => one.trim() !== '') ?? '';
  // Truncates first, so that a line of megabytes takes no time; the margin ensures that no partial secret remains at the end.
  let text = textStart(line.trim(), 8 * maxErrorLength);
  for (const value of known) if (value.length >= 6) text = text.replaceAll(value, removed);
  // Runs before names are removed; otherwise the word after `Authorization:` would be removed and the secret kept.
  for (const secret of likely) text = text.replace(secret, removed);
  text = redactSecrets(text);
  text = text.replace(namedSecret, `$1${removed}`);
  return textStart(text, maxErrorLength);
}

/** Returns the SHA-256 of arguments in hex; equal arguments yield equal digests, whatever their key order. */
export function digestOf(args: unknown): string {
  return sha256(stableJson(args));
}
