// Which text is a slash command, and which commands fit what was typed so far. Pure.
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly summary: string;
  readonly usage?: string;
  /** What it asks for. */
  readonly places?: readonly CommandPlace[];
}

export interface CommandPlace {
  readonly label: string;
  /** It takes all that is written as it is; another one a word, or several in double quotes. */
  readonly isWhole: boolean;
}

export interface WrittenCommand {
  readonly name: string;
  readonly args: string;
}

/** `/word`, alone or followed by white space: a path like `/etc/hosts` is none, and neither is `//word`. The server reads it the same way. */
const grammar = /^\/([a-z][a-z0-9-]*)(?:\s+([\s\S]*))?$/;

export function parseCommand(text: string): WrittenCommand | undefined {
  const [, name, args = ''] = grammar.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, args: args.trim() };
}

/** What stands after the slash while the name is being typed; `undefined` where no name is. */
export function typedName(text: string): string | undefined {
  return /^\/([a-z0-9-]*)$/i.exec(text)?.[1]?.toLowerCase();
}

/** Names that begin with it, then names that contain it, each in the given order. */
export function matchCommands(commands: readonly SlashCommand[], typed: string): SlashCommand[] {
  const beginning = commands.filter(({ name }) => name.startsWith(typed));
  const containing = commands.filter(({ name }) => !name.startsWith(typed) && name.includes(typed));
  return [...beginning, ...containing];
}

/** What was written into the places of a command, as it stands after its name. */
export function argsOf(places: readonly CommandPlace[], values: readonly string[]): string {
  const words = places.map(({ isWhole }, at) => {
    const value = (values[at] ?? '').trim();
    return isWhole || /^[^\s"]+$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
  });
  return words.join(' ').replace(/(?: ?"")+$/, '');
}
