// Parses the words of a command line against a table of known flags.

export interface KnownFlags {
  /** Matches the words of known flags, which start with `-`. */
  readonly flags: RegExp;
  /** Flags that take the next word as their value, and the pattern that the value must match. */
  readonly valued?: readonly (readonly [flag: RegExp, value: RegExp])[];
}

/** Returns the words that are neither flags nor their values; `undefined` if a flag or value is not in the table. */
export function operandsOf(words: readonly string[], { flags, valued = [] }: KnownFlags): string[] | undefined {
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const value = valued.find(([flag]) => flag.test(word))?.[1];
    if (value) {
      at++;
      if (at >= words.length || !value.test(words[at] ?? '')) return undefined;
    } else if (!word.startsWith('-')) operands.push(word);
    else if (!flags.test(word)) return undefined;
  }
  return operands;
}
