// How command lines are read before they run: what stands in one, and whether that stays in the workspace. And who else runs some.
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { ToolOutcome } from 'agent-harness/plugins/tools';

/** The words of one program call. */
export type PlainCommand = readonly string[];

/** Where a command would run. */
export interface CommandPlace {
  /** Real paths: the folder that it runs in, and the workspace around it. */
  readonly cwd: string;
  readonly root: string;
}

/** The one reading of commands that every rule about them decides over. Contract: nothing here rejects. */
export interface CommandReading {
  /**
   * The commands of exactly this line that are joined by pipes, `;`, `&&` or `||`, each as its words. `undefined` where
   * there is anything else that a shell might give a meaning.
   */
  parse(line: string): Promise<readonly PlainCommand[] | undefined>;
  /** `undefined` where the folder is not one inside of the workspace. */
  placeOf(cwd: string | undefined, workspaceRoot: string): Promise<CommandPlace | undefined>;
  /**
   * Whether a path lies in the workspace, links followed. The product's home folder is outside, and so is a folder
   * around it; a workspace that lies in there is inside all the same.
   */
  isInside(path: string, place: CommandPlace): Promise<boolean>;
  /** Whether a name means a program of the system: a folder of PATH, or a link in one, may lead into the workspace. */
  isSystemProgram(name: string, place: CommandPlace): Promise<boolean>;
}

/** What a command that a plugin runs is told, and where it runs. */
export interface CommandRun {
  readonly chatId: string;
  /** Absolute, real path; the command runs in it. */
  readonly workspaceRoot: string;
  /** For standard input. */
  readonly input: string;
  /** On top of the environment of commands. */
  readonly environment: Readonly<Record<string, string>>;
  /** Real paths that a sandbox lets it read, although they lie where secrets are hidden. */
  readonly readable: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface RanCommand {
  /** `null` where it did not end by itself. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why there is no exit code, as a sentence. */
  readonly fault?: string;
}

/**
 * Runs a command for a plugin as a tool call would: in the sandbox where there is one, without network, with no secrets in its
 * environment, under the limits of commands, in a group that ends with it. Whoever calls it has the leave of a person for
 * exactly this text. Contract: never rejects.
 */
export interface CommandRunner {
  run(command: string, run: CommandRun): Promise<RanCommand>;
}

/** Where a command is tried: what it writes goes elsewhere, and it sees what it wrote. */
export interface CommandStage {
  /** Goes before the sandbox: a program with its arguments that runs what follows where the stage is mounted. */
  readonly enter: readonly [program: string, ...args: string[]];
  /** In there, what stands in place of the workspace and of `/tmp`; absolute. */
  readonly workspace: string;
  readonly tmp: string;
  /** The same workspace as it is reached from here. */
  readonly seen: string;
}

/** A call of a command that can be tried. */
export interface TriableCommand {
  /** What is `/tmp` for the commands of the chat; a real path. */
  readonly tmp: string;
  /**
   * Runs exactly the call on a stage, in the sandbox and under the limits of the tool; answers what the tool would. Resolves when nothing of it runs
   * any more.
   */
  run(stage: CommandStage, signal: AbortSignal): Promise<ToolOutcome>;
}

/** Tries commands before they are let through. Contract: nothing here rejects. */
export interface CommandTrials {
  /** `undefined`: it is no call of a command. `why`: it cannot be tried, as a sentence. */
  look(call: ToolCall): Promise<TriableCommand | { readonly why: string } | undefined>;
}

/** A command as somebody else's terminal runs it: exactly this line, by exactly this shell. */
export interface TerminalCommand {
  readonly callId: string;
  /** The line that was decided about. */
  readonly command: string;
  /** The program that reads the line; an absolute path. */
  readonly shell: string;
  readonly cwd: string;
  /** On top of what the terminal has. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of its output; the end of a longer one is kept. */
  readonly maxBytes: number;
}

export interface TerminalEnd {
  /** `null` where a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly output: string;
  /** The beginning of the output is not kept. */
  readonly isCut: boolean;
}

/**
 * Somebody who has a terminal open beside a chat, in view of a person: an editor. Where a person switched that on, commands in front run there
 * and not in the sandbox; who is asked about it, and what the model gets back, is decided here.
 */
export interface CommandTerminal {
  /** For people and the model, inside of a sentence: `the editor`. */
  readonly name: string;
  /** Aborted when it is gone; what was decided with it is not done without it. */
  readonly gone: AbortSignal;
  /** Names of the variables that commands find there anyway. */
  readonly variables: readonly string[];
  /**
   * Resolves when the command is over. Aborted, it is ended there, and this still answers what it printed. Rejects where it
   * does not run or nobody knows how it ended, at the latest 1.8 s after an abort: `it has left.`, as the end of a sentence.
   */
  run(command: TerminalCommand, signal: AbortSignal): Promise<TerminalEnd>;
}

/** Contribution point `command_terminal`. */
export interface CommandTerminals {
  readonly name: string;
  /** Who leads the chat now. Contract: never throws. */
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
