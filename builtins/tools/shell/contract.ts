// Defines the contract of the shell: command parsing, sandboxed commands for plugins, previews, and external terminals.
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { ToolOutcome } from 'agent-harness/plugins/tools';

/** The words of one program invocation. */
export type PlainCommand = readonly string[];

/** The location in which a command runs. */
export interface CommandPlace {
  /** Real paths of the working directory, and of the workspace that contains it. */
  readonly cwd: string;
  readonly root: string;
}

/** Parses commands for all approval rules about commands. Contract: no method rejects. */
export interface CommandReading {
  /**
   * Splits a line into the commands that are joined by pipes, `;`, `&&` or `||`, each as its words. Resolves with `undefined` if the line contains anything
   * else that has a meaning in some shell.
   */
  parse(line: string): Promise<readonly PlainCommand[] | undefined>;
  /** Returns the place of a command; `undefined` if the folder is not inside the workspace. */
  placeOf(cwd: string | undefined, workspaceRoot: string): Promise<CommandPlace | undefined>;
  /**
   * Returns whether a path is in the workspace, following links. The product's home folder and folders that contain it count as outside; a workspace inside the
   * home folder counts as inside.
   */
  isInside(path: string, place: CommandPlace): Promise<boolean>;
  /** Returns whether a name resolves to a system program. A folder in PATH, or a link in such a folder, may lead into the workspace. */
  isSystemProgram(name: string, place: CommandPlace): Promise<boolean>;
}

/** Input of a command that a plugin runs. */
export interface CommandRun {
  readonly chatId: string;
  /** Absolute real path, which is also the working directory. */
  readonly workspaceRoot: string;
  /** Text for standard input. */
  readonly input: string;
  /** Environment variables that are added to those of commands. */
  readonly environment: Readonly<Record<string, string>>;
  /** Real paths that are readable in the sandbox although they are in hidden locations. */
  readonly readable: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface RanCommand {
  /** Exit code; `null` if the command did not end by itself. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Sentence that states why there is no exit code. */
  readonly fault?: string;
}

/**
 * Runs a command for a plugin like a tool call: sandboxed if possible, without network access, without secrets in its environment, within the limits of
 * commands, and in its own process group. The user must have approved exactly this text. Contract: never rejects.
 */
export interface CommandRunner {
  run(command: string, run: CommandRun): Promise<RanCommand>;
}

/** A copy-on-write stage for previewing a command; all files that the command writes stay in the stage. */
export interface CommandStage {
  /** Prefix before the sandbox: a program with arguments that runs the rest of the command line in the mounted stage. */
  readonly enter: readonly [program: string, ...args: string[]];
  /** Absolute paths in the stage that replace the workspace and `/tmp`. */
  readonly workspace: string;
  readonly tmp: string;
  /** Path under which this process can access the workspace of the stage. */
  readonly seen: string;
}

/** A command call that can be previewed. */
export interface TriableCommand {
  /** Real path of the folder that is `/tmp` for the commands of the chat. */
  readonly tmp: string;
  /**
   * Runs the call unchanged on a stage, in the sandbox and within the limits of the tool, and returns the same outcome as the tool would. Resolves when all
   * processes of the call have ended.
   */
  run(stage: CommandStage, signal: AbortSignal): Promise<ToolOutcome>;
}

/** Previews commands before their approval. Contract: no method rejects. */
export interface CommandTrials {
  /** Returns the command of a call; `undefined` if the call runs no command. `why`: sentence that states why the command cannot be previewed. */
  look(call: ToolCall): Promise<TriableCommand | { readonly why: string } | undefined>;
}

/** A command for an external terminal: exactly this line, run by exactly this shell. */
export interface TerminalCommand {
  readonly callId: string;
  /** The approved line. */
  readonly command: string;
  /** Absolute path of the shell. */
  readonly shell: string;
  readonly cwd: string;
  /** Environment variables that are added to those of the terminal. */
  readonly environment: Readonly<Record<string, string>>;
  /** Maximum size of the output in bytes; longer output is truncated at the beginning. */
  readonly maxBytes: number;
}

export interface TerminalEnd {
  /** Exit code; `null` if a signal ended the command. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly output: string;
  /** Whether the beginning of the output was dropped. */
  readonly isCut: boolean;
}

/**
 * An external terminal next to a chat, visible to the user, for example in an editor. If the user enables it, foreground commands run there instead of in the
 * sandbox; approvals and the result for the model are still handled here.
 */
export interface CommandTerminal {
  /** Display name for users and the model, for use within a sentence, such as `the editor`. */
  readonly name: string;
  /** Aborted when the terminal disconnects; approved calls that depend on it then fail. */
  readonly gone: AbortSignal;
  /** Names of the variables that the terminal already sets. */
  readonly variables: readonly string[];
  /**
   * Runs a command. Resolves when the command has ended. An abort ends the command; its output is still returned. Rejects if the command did not run or its end
   * is unknown, at the latest 1.8 s after an abort. The error message is the end of a sentence, such as `it has left.`
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
