// Detects slash commands, and finds those that match the typed text. Pure.
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly summary: string;
  readonly usage?: string;
  /** Arguments of the command. */
  readonly places?: readonly CommandPlace[];
}

export interface CommandPlace {
  readonly label: string;
  /** Whether the argument is the verbatim rest of the line; other arguments are one word, or several in double quotes. */
  readonly isWhole: boolean;
}

export interface WrittenCommand {
  readonly name: string;
  readonly args: string;
}

/** Matches `/word`, alone or followed by white space; does not match a path such as `/etc/hosts` or `//word`. The server uses the same rule. */
const grammar = /^\/([a-z][a-z0-9-]*)(?:\s+([\s\S]*))?$/;

export function parseCommand(text: string): WrittenCommand | undefined {
  const [, name, args = ''] = grammar.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, args: args.trim() };
}

/** Returns the text after the slash while the name is being typed; `undefined` otherwise. */
export function typedName(text: string): string | undefined {
  return /^\/([a-z0-9-]*)$/i.exec(text)?.[1]?.toLowerCase();
}

/** Returns the commands whose names begin with the typed text, then those whose names contain it, each in the given order. */
export function matchCommands(commands: readonly SlashCommand[], typed: string): SlashCommand[] {
  const beginning = commands.filter(({ name }) => name.startsWith(typed));
  const containing = commands.filter(({ name }) => !name.startsWith(typed) && name.includes(typed));
  return [...beginning, ...containing];
}

/** Joins the arguments of a command to the text that follows its name. */
export function argsOf(places: readonly CommandPlace[], values: readonly string[]): string {
  const words = places.map(({ isWhole }, at) => {
    const value = (values[at] ?? '').trim();
    return isWhole || /^[^\s"]+$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
  });
  return words.join(' ').replace(/(?: ?"")+$/, '');
}
