// The contract of command parsing, sandboxed command execution for plugins, previews, and external terminals.
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { ToolOutcome } from 'agent-harness/plugins/tools';

/** The words of one program call. */
export type PlainCommand = readonly string[];

/** Location of a command. */
export interface CommandPlace {
  /** Real paths: the working directory, and the workspace around it. */
  readonly cwd: string;
  readonly root: string;
}

/** The shared command parser for all rules about commands. Contract: nothing here rejects. */
export interface CommandReading {
  /**
   * Splits a line into the commands joined by pipes, `;`, `&&` or `||`, each as its words. `undefined` if it contains
   * anything else with a meaning for some shell.
   */
  parse(line: string): Promise<readonly PlainCommand[] | undefined>;
  /** `undefined` if the folder is not inside of the workspace. */
  placeOf(cwd: string | undefined, workspaceRoot: string): Promise<CommandPlace | undefined>;
  /**
   * Whether a path is in the workspace, following links. The product's home folder counts as outside, as does a folder
   * around it; a workspace inside of it still counts as inside.
   */
  isInside(path: string, place: CommandPlace): Promise<boolean>;
  /** Whether a name resolves to a system program: a folder of PATH, or a link in one, may lead into the workspace. */
  isSystemProgram(name: string, place: CommandPlace): Promise<boolean>;
}

/** Input of a command run by a plugin. */
export interface CommandRun {
  readonly chatId: string;
  /** Absolute, real path; the working directory. */
  readonly workspaceRoot: string;
  /** For standard input. */
  readonly input: string;
  /** Added to the environment of commands. */
  readonly environment: Readonly<Record<string, string>>;
  /** Real paths readable in the sandbox, although they are in hidden locations. */
  readonly readable: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface RanCommand {
  /** `null` if it did not end by itself. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why there is no exit code, as a sentence. */
  readonly fault?: string;
}

/**
 * Runs a command for a plugin like a tool call: sandboxed if possible, without network, with no secrets in its
 * environment, under the limits of commands, in its own process group. The caller has the user's approval for
 * exactly this text. Contract: never rejects.
 */
export interface CommandRunner {
  run(command: string, run: CommandRun): Promise<RanCommand>;
}

/** The stage for a command preview: its writes are redirected, and it sees them. */
export interface CommandStage {
  /** Prefix before the sandbox: a program with arguments that runs the rest inside the mounted stage. */
  readonly enter: readonly [program: string, ...args: string[]];
  /** Absolute paths there that replace the workspace and `/tmp`. */
  readonly workspace: string;
  readonly tmp: string;
  /** The same workspace as accessible from here. */
  readonly seen: string;
}

/** A command call that can be previewed. */
export interface TriableCommand {
  /** Real path of `/tmp` for the commands of the chat. */
  readonly tmp: string;
  /**
   * Runs exactly the call on a stage, in the sandbox and under the limits of the tool; returns the same outcome as the tool. Resolves when all its processes
   * have
   * ended.
   */
  run(stage: CommandStage, signal: AbortSignal): Promise<ToolOutcome>;
}

/** Previews commands before their approval. Contract: nothing here rejects. */
export interface CommandTrials {
  /** `undefined`: the call runs no command. `why`: it cannot be previewed, as a sentence. */
  look(call: ToolCall): Promise<TriableCommand | { readonly why: string } | undefined>;
}

/** A command for an external terminal: exactly this line, by exactly this shell. */
export interface TerminalCommand {
  readonly callId: string;
  /** The approved line. */
  readonly command: string;
  /** The shell; an absolute path. */
  readonly shell: string;
  readonly cwd: string;
  /** Added to the environment of the terminal. */
  readonly environment: Readonly<Record<string, string>>;
  /** Limit of its output; the end of a longer one is kept. */
  readonly maxBytes: number;
}

export interface TerminalEnd {
  /** `null` if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly output: string;
  /** The beginning of the output was dropped. */
  readonly isCut: boolean;
}

/**
 * An external terminal visible to the user beside a chat: an editor. If enabled by the user, foreground commands run there
 * instead of the sandbox; approvals and the result for the model are still handled here.
 */
export interface CommandTerminal {
  /** For users and the model, inside of a sentence: `the editor`. */
  readonly name: string;
  /** Aborted when it disconnects; approved calls that depend on it then fail. */
  readonly gone: AbortSignal;
  /** Names of the variables already set there. */
  readonly variables: readonly string[];
  /**
   * Resolves when the command has ended. On abort it is ended there, and this still returns its output. Rejects if it
   * did not run or its end is unknown, at most 1.8 s after an abort: `it has left.`, as the end of a sentence.
   */
  run(command: TerminalCommand, signal: AbortSignal): Promise<TerminalEnd>;
}

/** Contribution point `command_terminal`. */
export interface CommandTerminals {
  readonly name: string;
  /** Returns the current terminal of the chat. Contract: never throws. */
  terminalOf(chatId: string): CommandTerminal | undefined;
}

declare module 'agent-harness/kernel' {
  interface Services {
    commandReading: CommandReading;
    commandRunner: CommandRunner;
    commandTrials: CommandTrials;
  }
  interface ContributionPoints {
    command_terminal: CommandTerminals;
  }
}
