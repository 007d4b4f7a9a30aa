// Commands: slash commands that every client shows, and commands of the program itself.
import type { Series } from 'agent-harness/kernel';
import type { Permission, Principal } from 'agent-harness/plugins/http';
import type { View } from 'agent-harness/plugins/views';

export interface SlashContext {
  readonly chatId: string;
  readonly workspaceRoot: string;
  /** What follows the name, trimmed. */
  readonly args: string;
  /** Who runs it; left out for what no request brought. */
  readonly principal?: Principal;
}

/**
 * What the person reads, as plain text that no client lays out; or tool calls that the turn makes in the name of the person; or what the model is told
 * with the message, which goes to it. With `kept` the text is for whoever asked, and stands nowhere: where the conversation keeps the answer, it keeps
 * that instead. With `view` clients that can show it instead of the text.
 */
export type SlashAnswer =
  | string
  | { readonly text: string; readonly kept: string; readonly view?: View }
  | { readonly calls: readonly { readonly name: string; /** JSON text. */ readonly argsText: string }[] }
  | { readonly prompt: string };

/** Something that a person fills in. */
export interface SlashPlace {
  /** Empty where it has no name. */
  readonly label: string;
  /** It takes all that is written as it is; another one takes a word, or several in double quotes. */
  readonly isWhole: boolean;
}

/** A slash command as clients list it. */
export interface SlashRow {
  readonly name: string;
  readonly summary: string;
  readonly usage?: string;
  readonly places?: SlashPlace[];
  /** What it answers may be a secret: run it apart from the conversation. */
  readonly isSecret?: boolean;
  /** Run it apart from the conversation, where a message would wait for the turn that runs. */
  readonly isImmediate?: boolean;
}

/** Contribution point `slash_command`. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly summary: string;
  /** `[turn]`, `<code>`; for help. */
  readonly usage?: string;
  /** What it asks for, in its order: clients may show a field for each. */
  readonly places?: readonly SlashPlace[];
  /** Real path of the workspace in whose chats alone it counts. Others may have one of its name, but no command that counts everywhere. */
  readonly workspaceRoot?: string;
  /** It may answer something that is not for the conversation: clients run it apart from that, where they can. */
  readonly isSecret?: boolean;
  /** It acts on the turn that runs: clients run it apart from the conversation, where a message would wait for the end of that turn. */
  readonly isImmediate?: boolean;
  /** What whoever runs it must be allowed to. Left out, only an owner may. */
  readonly permission?: Permission;
  /** Throwing an error with a code shows its message. */
  run(context: SlashContext): SlashAnswer | Promise<SlashAnswer>;
}

export interface CliOutput {
  out(text: string): void;
  err(text: string): void;
  /** Lines of standard input, until it ends. */
  lines(): AsyncIterable<string>;
  readonly isTerminal: boolean;
  /**
   * From now on nothing but what goes through the answer reaches standard output; what anybody else prints there goes to standard error. For
   * commands whose output is a protocol.
   */
  claim?(): ClaimedOutput;
  /** One line of standard input, not shown while it is typed; `undefined` where there is none. */
  secret?(): Promise<string | undefined>;
  /** Whether standard input is a pipe or a file that somebody put there; not, when left out. */
  readonly isInputPiped?: boolean;
  /** Whether a person can answer at standard input; not, when left out. */
  readonly isInputTerminal?: boolean;
}

/** Standard output, for one command alone. */
export interface ClaimedOutput {
  out(text: string): void;
  /** Others print there again. */
  release(): void;
}

/** Options as `node:util` parseArgs takes them. */
export interface CliOption {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  readonly description: string;
  /** It may stand more than once: its values are in `lists` instead of `options`. Only with `string`. */
  readonly multiple?: boolean;
  /** What its value is, for the completion of shells. */
  readonly values?: CliValues;
}

/** The words that fit a place of a command line: fixed ones, files or folders, or what a running server lists. */
export type CliValues = readonly string[] | 'file' | 'folder' | CliListing;

/** A list that the server answers at an address. */
export interface CliListing {
  readonly path: string;
  /** The field of the answer that holds the rows. */
  readonly rows: string;
  /** The field of a row that is the word, and one that says what it is. */
  readonly word: string;
  readonly text?: string;
}

/** Contribution point `cli_command`. */
export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  /** What follows the name: `[id]`, `"<text>"`, `[list | show <id>]`. Shells complete the words that stand in it as they are. */
  readonly usage?: string;
  /** What shells complete in the places of `usage`, by what stands there: `id` for `<id>`, `KEY` for `KEY`; `restore id` for that of one action. */
  readonly values?: Readonly<Record<string, CliValues>>;
  readonly options?: Readonly<Record<string, CliOption>>;
  /** Runs while plugins of the user are still loading; others wait for them. */
  readonly startsEarly?: boolean;
  /** Answers the exit code. */
  run(
    input: {
      readonly positionals: readonly string[];
      readonly options: Readonly<Record<string, string | boolean | undefined>>;
      /** Of options that may stand more than once, the values in their order. */
      readonly lists?: Readonly<Record<string, readonly string[]>>;
      readonly signal: AbortSignal;
    },
    output: CliOutput,
  ): Promise<number>;
}

export interface Commands {
  /** Those that count in every chat, and those of a workspace. */
  slash(workspaceRoot?: string): readonly SlashRow[];
  /** Whether no other slash command can have that name: everywhere, or in the chats of a workspace. */
  isTaken(name: string, workspaceRoot?: string): boolean;
  /** Rejects with `COMMANDS_ERR_UNKNOWN`, with `COMMANDS_ERR_FORBIDDEN`, and with `COMMANDS_ERR_NEEDS_TURN` where the command is to call tools. */
  runSlash(name: string, context: SlashContext): Promise<string>;
  /** The commands of the program. */
  cli(): readonly CliCommand[];
  /** Runs a command line (without node and script). Answers the exit code: 0 done, 1 failed, 2 wrong use. */
  runCli(argv: readonly string[], output: CliOutput, signal: AbortSignal): Promise<number>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    commands: Commands;
  }
  interface Hooks {
    /** Slash commands are about to be listed or run, in a workspace or where none is known: whoever reads theirs from files does so now. */
    'commands.list': Series<[{ readonly workspaceRoot?: string }]>;
  }
  interface ContributionPoints {
    slash_command: SlashCommand;
    cli_command: CliCommand;
  }
}
