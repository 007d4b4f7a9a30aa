// Defines the contract of commands: slash commands for all clients, and CLI commands of the program.
import type { Series } from 'agent-harness/kernel';
import type { Permission, Principal } from 'agent-harness/plugins/http';
import type { View } from 'agent-harness/plugins/views';

export interface SlashContext {
  readonly chatId: string;
  readonly workspaceRoot: string;
  /** The text after the command's name, trimmed. */
  readonly args: string;
  /** The caller; omitted if no request caused the command. */
  readonly principal?: Principal;
}

/**
 * The reply of a slash command: plain text, which clients do not format; tool calls that the turn makes on behalf of the user; or text for the model, sent with
 * the message. With `kept`, only the caller receives the text, and the conversation stores `kept` instead. With `view`, clients that support views show the
 * view instead of the text.
 */
export type SlashAnswer =
  | string
  | { readonly text: string; readonly kept: string; readonly view?: View }
  | { readonly calls: readonly { readonly name: string; /** JSON text. */ readonly argsText: string }[] }
  | { readonly prompt: string };

/** An input field of a command. */
export interface SlashPlace {
  /** Name of the input; empty if it has none. */
  readonly label: string;
  /** Whether the input takes the rest of the line verbatim; other inputs take one word, or several in double quotes. */
  readonly isWhole: boolean;
}

/** A slash command as clients list it. */
export interface SlashRow {
  readonly name: string;
  readonly summary: string;
  readonly usage?: string;
  readonly places?: SlashPlace[];
  /** Whether the result may be secret; clients then run the command outside the conversation. */
  readonly isSecret?: boolean;
  /** Whether clients run the command outside the conversation, because a message would wait behind the running turn. */
  readonly isImmediate?: boolean;
}

/** Contribution point `slash_command`: a command that users type in a conversation. */
export interface SlashCommand {
  /** Name of the command, without the slash. */
  readonly name: string;
  readonly summary: string;
  /** Arguments of the command for the help text, for example `[turn]` or `<code>`. */
  readonly usage?: string;
  /** The inputs of the command in order; clients may show a field for each. */
  readonly places?: readonly SlashPlace[];
  /** Real path of the only workspace in which the command is available. Commands in other workspaces may have the same name; global commands may not. */
  readonly workspaceRoot?: string;
  /** Whether the result may be secret; clients then run the command outside the conversation if they can. */
  readonly isSecret?: boolean;
  /** Whether the command acts on the running turn; clients then run it outside the conversation, because a message would wait behind that turn. */
  readonly isImmediate?: boolean;
  /** Permission that the caller needs; default: owner only. */
  readonly permission?: Permission;
  /** Runs the command. If it throws an error that has a code, the caller receives the error's message. */
  run(context: SlashContext): SlashAnswer | Promise<SlashAnswer>;
}

export interface CliOutput {
  out(text: string): void;
  err(text: string): void;
  /** Yields lines of standard input until it ends. */
  lines(): AsyncIterable<string>;
  readonly isTerminal: boolean;
  /**
   * Reserves standard output: only writes through the result reach it, and all other output goes to standard error. For commands whose output is a protocol.
   */
  claim?(): ClaimedOutput;
  /** Reads one line of standard input without echo; returns `undefined` if the input has ended. */
  secret?(): Promise<string | undefined>;
  /** Source of redirected standard input: a pipe or file, or a socket (Node's `spawn` uses one), which may never end. Default: not redirected. */
  readonly redirectedInput?: 'pipe' | 'socket' | undefined;
  /** Whether a user can answer on standard input; default: false. */
  readonly isInputTerminal?: boolean;
}

/** Standard output that is reserved for one command. */
export interface ClaimedOutput {
  out(text: string): void;
  /** Makes standard output available to other code again. */
  release(): void;
}

/** An option of a CLI command, in the form of `parseArgs` of `node:util`. */
export interface CliOption {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  readonly description: string;
  /** Whether the option may be repeated; its values are then in `lists` instead of `options`. Only with `string`. */
  readonly multiple?: boolean;
  /** Completions for the option's value. */
  readonly values?: CliValues;
}

/** Completions for one argument: fixed words, files or folders, or a list from a running server. */
export type CliValues = readonly string[] | 'file' | 'folder' | CliListing;

/** A list that the server returns at a URL. */
export interface CliListing {
  readonly path: string;
  /** Name of the field in the reply that contains the rows. */
  readonly rows: string;
  /** Name of the field in a row that contains the word; `about`: the field that contains its description. */
  readonly word: string;
  readonly text?: string;
}

/** Contribution point `cli_command`: a command of the program's command line. */
export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  /** Arguments after the name, for example `[id]`, `"<text>"` or `[list | show <id>]`. Shells complete the literal words. */
  readonly usage?: string;
  /** Completions for the placeholders of `usage`: `id` for `<id>`, `KEY` for `KEY`; `restore id` for one action only. */
  readonly values?: Readonly<Record<string, CliValues>>;
  readonly options?: Readonly<Record<string, CliOption>>;
  /** Whether the command may run while the user's plugins are still loading; other commands wait for them. */
  readonly startsEarly?: boolean;
  /** Runs the command. Resolves with the exit code. */
  run(
    input: {
      readonly positionals: readonly string[];
      readonly options: Readonly<Record<string, string | boolean | undefined>>;
      /** Values of repeatable options, in order. */
      readonly lists?: Readonly<Record<string, readonly string[]>>;
      readonly signal: AbortSignal;
    },
    output: CliOutput,
  ): Promise<number>;
}

export interface Commands {
  /** Returns the global commands and those of a workspace. */
  slash(workspaceRoot?: string): readonly SlashRow[];
  /** Returns whether the name is in use, globally or in the chats of a workspace. */
  isTaken(name: string, workspaceRoot?: string): boolean;
  /**
   * Runs a slash command. Rejects with `COMMANDS_ERR_UNKNOWN`, with `COMMANDS_ERR_FORBIDDEN`, and with `COMMANDS_ERR_NEEDS_TURN` if the command makes tool
   * calls.
   */
  runSlash(name: string, context: SlashContext): Promise<string>;
  /** Returns the CLI commands of the program. */
  cli(): readonly CliCommand[];
  /** Runs a command line, without node and script. Resolves with the exit code: 0 success, 1 failure, 2 usage error. */
  runCli(argv: readonly string[], output: CliOutput, signal: AbortSignal): Promise<number>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    commands: Commands;
  }
  interface Hooks {
    /** Runs before slash commands are listed or run, with the workspace if it is known: plugins with command files then read these files. */
    'commands.list': Series<[{ readonly workspaceRoot?: string }]>;
  }
  interface ContributionPoints {
    slash_command: SlashCommand;
    cli_command: CliCommand;
  }
}
