// Finds the `@` mention at the caret, and inserts the chosen name. Pure.

export interface TypedMention {
  /** Index of the `@`. */
  readonly start: number;
  /** The text between it and the caret. */
  readonly query: string;
}

/** Returns the mention at the caret. Only an `@` at the start of a word begins a mention, which excludes e-mail addresses. */
export function typedMention(text: string, caret: number): TypedMention | undefined {
  const found = /(?:^|[\s([{"'])@([^\s@]{0,200})$/.exec(text.slice(0, caret));
  return found ? { start: caret - (found[1] ?? '').length - 1, query: found[1] ?? '' } : undefined;
}

/** @param goesOn whether the name is incomplete; if so, no space follows it */
export function withMention(
  text: string,
  caret: number,
  { start }: TypedMention,
  insert: string,
  goesOn: boolean,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(caret);
  const end = goesOn || /^\s/.test(rest) ? '' : ' ';
  return { text: `${text.slice(0, start)}${insert}${end}${rest}`, caret: start + insert.length + (goesOn ? 0 : 1) };
}
