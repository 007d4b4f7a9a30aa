// Words that are put between others.

/** Words stay apart from the words around them. Pure. */
export function withSpaces(before: string, text: string, after: string): string {
  const first = before !== '' && !/[\s([{"'„“]$/u.test(before) ? ' ' : '';
  const last = after !== '' && !/^[\s.,;:!?)\]}"'”]/u.test(after) ? ' ' : '';
  return `${first}${text}${last}`;
}
