// What looks like a key, a token or a password, so that it is neither kept, sent nor shown by accident. Runs in browsers, too.

const removed = '[redacted]';

/** Forms that nothing else has. */
const forms: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|AKIA|ASIA|AIza|hf|npm)[-_A-Za-z0-9]{12,}/g,
  // A signed token: three parts with dots between them.
  /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g,
  /\b(?:Bearer|Basic)\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{12,}/gi,
  // Name and password in an address.
  /(?<=:\/\/)[^\s/@:]*:[^\s/@]+(?=@)/g,
];
/** A name that says so, and behind it a value of mixed signs. */
const named =
  /\b([\w-]*(?:api[ _-]?key|secret|token|password|passwd|pwd)["']?\s*(?:[:=]|\bis\b:?)\s*)("(?=[^"]*[\d!#$%&*?@])[^"\s]{6,}"|'(?=[^']*[\d!#$%&*?@])[^'\s]{6,}'|(?=[^\s,;&"']*[\d!#$%&*?@])[^\s,;&"']{6,})/gi;

/** Whether something in the text looks like a secret. */
export function hasSecret(text: string): boolean {
  return [...forms, named].some((form) => text.search(form) !== -1);
}

/** The text with `[redacted]` in the place of what looks like a secret. */
export function redactSecrets(text: string): string {
  let clean = text;
  for (const form of forms) clean = clean.replace(form, removed);
  return clean.replace(named, `$1${removed}`);
}

/** What looks like a secret in the text, each once, without the name before it. */
export function findSecrets(text: string): string[] {
  const found = forms.flatMap((form) => text.match(form) ?? []).map((value) => value.replace(/^(?:Bearer|Basic)\s+/i, ''));
  for (const [, , value = ''] of text.matchAll(named)) found.push(value.replace(/^["']|["']$/g, ''));
  return [...new Set(found)];
}

const shortestKnown = 4;

/** The text, as long as it was, with `•` in the place of each sign of what looks like a secret, and of those that are known. */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  let clean = text;
  for (const secret of known) if (secret.length >= shortestKnown && clean.includes(secret)) clean = clean.replaceAll(secret, masked(secret));
  for (const form of forms) clean = clean.replace(form, masked);
  // Its quotes stay, or JSON would be none any more.
  return clean.replace(
    named,
    (_, before: string, value: string) => before + (/^["']/.test(value) ? value[0] + masked(value.slice(1, -1)) + value[0] : masked(value)),
  );
}

const masked = (secret: string): string => '•'.repeat(secret.length);
