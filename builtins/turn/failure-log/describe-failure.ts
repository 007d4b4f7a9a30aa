// What the log says about a failed call: enough to count and compare failures, and no secrets.
import { sha256 } from 'agent-harness/lib/hash';
import { redactSecrets } from 'agent-harness/lib/secrets';
import { stableJson } from 'agent-harness/lib/values';
import { textStart } from 'agent-harness/lib/text';

/** UTF-16 units. */
const maxErrorLength = 300;
const removed = '[redacted]';

/** Beyond what surely is one: a log loses little by a word that was none. */
const likely: readonly RegExp[] = [
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{6,}/gi,
  /(?<=:\/\/)[^\s/@]+(?=@)/g,
  // Whatever is long and mixed enough to be a key.
  /\b(?=[\w+-]*\d)(?=[\w+-]*[A-Za-z])[\w+-]{32,}={0,2}/g,
];
const namedSecret = /\b([\w-]*(?:key|token|secret|password|passwd|pwd|credential|authorization|cookie)[\w-]*["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;&]+)/gi;

/** The first line that says something, cut and without what looks like a secret. @param known values that must not be written, whatever they look like */
export function describeError(output: string, known: readonly string[]): string {
  const line = output.split('\n').find((one) => one.trim() !== '') ?? '';
  // Cut first, so that a line of megabytes costs nothing; with room, so that no half of a secret stays at the edge.
  let text = textStart(line.trim(), 8 * maxErrorLength);
  for (const value of known) if (value.length >= 6) text = text.replaceAll(value, removed);
  // Before names, or `Authorization: Bearer …` would lose the word and keep the secret.
  for (const secret of likely) text = text.replace(secret, removed);
  text = redactSecrets(text);
  text = text.replace(namedSecret, `$1${removed}`);
  return textStart(text, maxErrorLength);
}

/** SHA-256 in hex; equal arguments give equal digests, in whatever order they were written. */
export function digestOf(args: unknown): string {
  return sha256(stableJson(args));
}
