// The contract of slash commands for all clients and of the program's CLI commands.
import type { Series } from 'agent-harness/kernel';
import type { Permission, Principal } from 'agent-harness/plugins/http';
import type { View } from 'agent-harness/plugins/views';

export interface SlashContext {
  readonly chatId: string;
  readonly workspaceRoot: string;
  /** The text after the name, trimmed. */
  readonly args: string;
  /** The caller; left out if no request caused it. */
  readonly principal?: Principal;
}

/**
 * The reply as plain text that no client formats; or tool calls that the turn makes on behalf of the user; or text for the model,
 * sent with the message. With `kept` the text is shown to the caller only and stored nowhere: the conversation stores
 * `kept` instead. With `view`, clients that support it show that instead of the text.
 */
export type SlashAnswer =
  | string
  | { readonly text: string; readonly kept: string; readonly view?: View }
  | { readonly calls: readonly { readonly name: string; /** JSON text. */ readonly argsText: string }[] }
  | { readonly prompt: string };

/** An input that the user fills in. */
export interface SlashPlace {
  /** Empty if it has no name. */
  readonly label: string;
  /** It takes the whole rest of the line verbatim; others take one word, or several in double quotes. */
  readonly isWhole: boolean;
}

/** A slash command as clients list it. */
export interface SlashRow {
  readonly name: string;
  readonly summary: string;
  readonly usage?: string;
  readonly places?: SlashPlace[];
  /** The result may be secret: run it outside of the conversation. */
  readonly isSecret?: boolean;
  /** Run it outside of the conversation, in which a message would be queued behind the running turn. */
  readonly isImmediate?: boolean;
}

/** Contribution point `slash_command`. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly summary: string;
  /** `[turn]`, `<code>`; for the help text. */
  readonly usage?: string;
  /** Its inputs in order: clients may show a field for each. */
  readonly places?: readonly SlashPlace[];
  /** Real path of the only workspace where it is available. Others may use the same name, except global commands. */
  readonly workspaceRoot?: string;
  /** The result may be unsuitable for the conversation: clients run it outside of it if they can. */
  readonly isSecret?: boolean;
  /** It acts on the running turn: clients run it outside of the conversation, in which a message would be queued behind that turn. */
  readonly isImmediate?: boolean;
  /** The permission needed to run it. Owner only when left out. */
  readonly permission?: Permission;
  /** Throwing an error with a code shows its message. */
  run(context: SlashContext): SlashAnswer | Promise<SlashAnswer>;
}

export interface CliOutput {
  out(text: string): void;
  err(text: string): void;
  /** Yields lines of standard input until it ends. */
  lines(): AsyncIterable<string>;
  readonly isTerminal: boolean;
  /**
   * Reserves standard output: only writes through the result reach it; all other output goes to standard error. For
   * commands whose output is a protocol.
   */
  claim?(): ClaimedOutput;
  /** Reads one line of standard input without echo; `undefined` if there is none. */
  secret?(): Promise<string | undefined>;
  /** Whether standard input is a redirected pipe or file; false when left out. */
  readonly isInputPiped?: boolean;
  /** Whether a user can answer at standard input; false when left out. */
  readonly isInputTerminal?: boolean;
}

/** Standard output, reserved for one command. */
export interface ClaimedOutput {
  out(text: string): void;
  /** Returns standard output to other code. */
  release(): void;
}

/** An option in the form of `node:util` parseArgs. */
export interface CliOption {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  readonly description: string;
  /** May be repeated: its values are in `lists` instead of `options`. Only with `string`. */
  readonly multiple?: boolean;
  /** The possible values, for shell completion. */
  readonly values?: CliValues;
}

/** Completions for one argument: fixed words, files or folders, or a list of a running server. */
export type CliValues = readonly string[] | 'file' | 'folder' | CliListing;

/** A list that the server returns at an address. */
export interface CliListing {
  readonly path: string;
  /** The field of the reply that contains the rows. */
  readonly rows: string;
  /** The field of a row with the word, and the one with its description. */
  readonly word: string;
  readonly text?: string;
}

/** Contribution point `cli_command`. */
export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  /** The arguments after the name: `[id]`, `"<text>"`, `[list | show <id>]`. Shells complete its literal words. */
  readonly usage?: string;
  /** Completions for the placeholders of `usage`: `id` for `<id>`, `KEY` for `KEY`; `restore id` for one action only. */
  readonly values?: Readonly<Record<string, CliValues>>;
  readonly options?: Readonly<Record<string, CliOption>>;
  /** Runs while the user's plugins are still loading; other commands wait for them. */
  readonly startsEarly?: boolean;
  /** Resolves with the exit code. */
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
  /** Whether the name is taken: globally, or in the chats of a workspace. */
  isTaken(name: string, workspaceRoot?: string): boolean;
  /** Rejects with `COMMANDS_ERR_UNKNOWN`, with `COMMANDS_ERR_FORBIDDEN`, and with `COMMANDS_ERR_NEEDS_TURN` if the command makes tool calls. */
  runSlash(name: string, context: SlashContext): Promise<string>;
  /** The commands of the program. */
  cli(): readonly CliCommand[];
  /** Runs a command line (without node and script). Resolves with the exit code: 0 done, 1 failed, 2 wrong use. */
  runCli(argv: readonly string[], output: CliOutput, signal: AbortSignal): Promise<number>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    commands: Commands;
  }
  interface Hooks {
    /** Runs before slash commands are listed or run, with the workspace if known: plugins with command files read them now. */
    'commands.list': Series<[{ readonly workspaceRoot?: string }]>;
  }
  interface ContributionPoints {
    slash_command: SlashCommand;
    cli_command: CliCommand;
  }
}
