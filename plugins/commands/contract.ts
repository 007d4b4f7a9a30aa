// Commands: slash commands that every client shows, and commands of the program itself.
import type { Permission, Principal } from 'agent-harness/plugins/http';

export interface SlashContext {
  readonly chatId: string;
  readonly workspaceRoot: string;
  /** What follows the name, trimmed. */
  readonly args: string;
  /** Who runs it; left out for what no request brought. */
  readonly principal?: Principal;
}

/** What the person reads, as plain text that no client lays out; or tool calls that the turn makes in the name of the person. */
export type SlashAnswer = string | { readonly calls: readonly { readonly name: string; /** JSON text. */ readonly argsText: string }[] };

/** Contribution point `slash_command`. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly summary: string;
  /** `[turn]`, `<code>`; for help. */
  readonly usage?: string;
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
  /** One line of standard input, not shown while it is typed; `undefined` where there is none. */
  secret?(): Promise<string | undefined>;
  /** Whether standard input is a pipe or a file that somebody put there; not, when left out. */
  readonly isInputPiped?: boolean;
  /** Whether a person can answer at standard input; not, when left out. */
  readonly isInputTerminal?: boolean;
}

/** Options as `node:util` parseArgs takes them. */
export interface CliOption {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  readonly description: string;
}

/** Contribution point `cli_command`. */
export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  /** What follows the name: `[id]`, `"<text>"`. */
  readonly usage?: string;
  readonly options?: Readonly<Record<string, CliOption>>;
  /** Runs while plugins of the user are still loading; others wait for them. */
  readonly startsEarly?: boolean;
  /** Answers the exit code. */
  run(
    input: { readonly positionals: readonly string[]; readonly options: Readonly<Record<string, string | boolean | undefined>>; readonly signal: AbortSignal },
    output: CliOutput,
  ): Promise<number>;
}

export interface Commands {
  slash(): readonly { readonly name: string; readonly summary: string; readonly usage?: string }[];
  /** Rejects with `COMMANDS_ERR_UNKNOWN`, with `COMMANDS_ERR_FORBIDDEN`, and with `COMMANDS_ERR_NEEDS_TURN` where the command is to call tools. */
  runSlash(name: string, context: SlashContext): Promise<string>;
  /** Runs a command line (without node and script). Answers the exit code: 0 done, 1 failed, 2 wrong use. */
  runCli(argv: readonly string[], output: CliOutput, signal: AbortSignal): Promise<number>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    commands: Commands;
  }
  interface ContributionPoints {
    slash_command: SlashCommand;
    cli_command: CliCommand;
  }
}
