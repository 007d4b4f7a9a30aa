// How command lines are read before they run: what stands in one, and whether that stays in the workspace.

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

declare module 'agent-harness/kernel' {
  interface Services {
    commandReading: CommandReading;
  }
}
