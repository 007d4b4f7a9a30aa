// What a thrown value says: its sentence, its code, the error it is. Runs in browsers, too.

/** A sentence for any thrown value; never empty for an error, and never throws. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string') return thrown.message;
  try {
    const text = String(thrown);
    return text === '[object Object]' ? JSON.stringify(thrown) : text;
  } catch {
    return 'it threw something that cannot be shown'; // an object without a text
  }
}

/** The error itself, or one that says what was thrown in its place. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown), { cause: thrown });
}

/** Where it was thrown, for logs; the sentence of what has no stack. */
export function stackOf(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.stack : undefined) ?? messageOf(thrown);
}

/** The code of a thrown value (`ENOENT`, `not_found`, …); `undefined` where it has none. */
export function codeOf(thrown: unknown): string | undefined {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Whether a thrown value has one of these codes. */
export function hasCode(thrown: unknown, ...codes: readonly string[]): boolean {
  const code = codeOf(thrown);
  return code !== undefined && codes.includes(code);
}

/** Whether there is no such file. */
export function isMissing(thrown: unknown): boolean {
  return hasCode(thrown, 'ENOENT');
}
