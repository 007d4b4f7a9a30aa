// Which text is a slash command, and which commands fit what was typed so far. Pure.
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly summary: string;
  readonly usage?: string;
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
