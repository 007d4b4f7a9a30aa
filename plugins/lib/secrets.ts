// Detects keys, tokens and passwords in texts that must not be stored, sent or displayed by accident. Also runs in browsers.

const removed = '[redacted]';

/** Patterns of secrets with an unambiguous format. */
const forms: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|AKIA|ASIA|AIza|hf|npm)[-_A-Za-z0-9]{12,}/g,
  // A signed token (JWT): three parts separated by dots.
  /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g,
  /\b(?:Bearer|Basic)\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{12,}/gi,
  // Name and password in a URL.
  /(?<=:\/\/)[^\s/@:]*:[^\s/@]+(?=@)/g,
];
/** Matches a name such as `password`, followed by a value of mixed characters. */
const named =
  /\b([\w-]*(?:api[ _-]?key|secret|token|password|passwd|pwd)["']?\s*(?:[:=]|\bis\b:?)\s*)("(?=[^"]*[\d!#$%&*?@])[^"\s]{6,}"|'(?=[^']*[\d!#$%&*?@])[^'\s]{6,}'|(?=[^\s,;&"']*[\d!#$%&*?@])[^\s,;&"']{6,})/gi;

/** Returns whether the text contains a likely secret. */
export function hasSecret(text: string): boolean {
  return [...forms, named].some((form) => text.search(form) !== -1);
}

/** Replaces each likely secret with `[redacted]`. */
export function redactSecrets(text: string): string {
  let clean = text;
  for (const form of forms) clean = clean.replace(form, removed);
  return clean.replace(named, `$1${removed}`);
}

/** Returns the distinct secrets in the text, without their names. */
export function findSecrets(text: string): string[] {
  const found = forms.flatMap((form) => text.match(form) ?? []).map((value) => value.replace(/^(?:Bearer|Basic)\s+/i, ''));
  for (const [, , value = ''] of text.matchAll(named)) found.push(value.replace(/^["']|["']$/g, ''));
  return [...new Set(found)];
}

/** Minimum length of a known secret that is masked, in UTF-16 code units: a placeholder such as `x`, which local servers accept as a key, occurs in ordinary words. */
export const shortestSecret = 4;

/** Replaces each character of detected and known secrets with `•`; the length stays the same. */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  let clean = text;
  for (const secret of known) if (secret.length >= shortestSecret && clean.includes(secret)) clean = clean.replaceAll(secret, masked(secret));
  for (const form of forms) clean = clean.replace(form, masked);
  // Keeps the quotes, because the JSON would become invalid otherwise.
  return clean.replace(
    named,
    (_, before: string, value: string) => before + (/^["']/.test(value) ? value[0] + masked(value.slice(1, -1)) + value[0] : masked(value)),
  );
}

const masked = (secret: string): string => '•'.repeat(secret.length);
