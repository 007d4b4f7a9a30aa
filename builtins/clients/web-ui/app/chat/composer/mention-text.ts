// Where in a message something is being named with `@`, and the message with the name in it. Pure.

export interface TypedMention {
  /** Of the `@`. */
  readonly start: number;
  /** What stands between it and the caret. */
  readonly query: string;
}

/** An `@` begins a name at the start of a word only, so that addresses of people are none. */
export function typedMention(text: string, caret: number): TypedMention | undefined {
  const found = /(?:^|[\s([{"'])@([^\s@]{0,200})$/.exec(text.slice(0, caret));
  return found ? { start: caret - (found[1] ?? '').length - 1, query: found[1] ?? '' } : undefined;
}

/** @param goesOn the name is not over yet, so no space follows it */
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
