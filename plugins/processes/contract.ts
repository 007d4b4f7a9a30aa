// The programs that this one starts: how they are found again, and what belongs to them.

/** Put into the environment of a child, it stays with everything that comes from it, whatever parent, group or session that takes. */
export interface ProcessMark {
  readonly environment: Readonly<Record<string, string>>;
}

export interface ProcessUse {
  readonly count: number;
  /** Of memory, swapped ones included, files not. */
  readonly bytes: number;
}

/**
 * Looks processes up by what the system says of them. That needs Linux; elsewhere nobody is found, and groups have to do.
 * Contract: nothing here rejects or throws.
 */
export interface Processes {
  /** A new one for each child. It ends with the server: what still carries it then is ended. */
  createMark(): ProcessMark;
  /** Living processes that carry the mark, and what they started. */
  find(mark: ProcessMark): Promise<readonly number[]>;
  /** Living processes of that group; dead ones that nobody has collected do not count. `undefined` where nobody can tell. */
  members(group: number): Promise<readonly number[] | undefined>;
  /** SIGKILL, until none is left; at the latest after a second. Answers whether there was one. */
  end(mark: ProcessMark): Promise<boolean>;
  /**
   * What carries each mark, and what that started, takes together now. Up to `bytesAllowed` memory that processes share
   * may count several times.
   */
  measure(marks: readonly ProcessMark[], bytesAllowed: number): Promise<readonly ProcessUse[]>;
  /** Whether a process comes from this one or from an earlier server of this home folder, or lives in a sandbox. This process itself does not. */
  isOurs(pid: number): boolean;
}

declare module 'agent-harness/kernel' {
  interface Services {
    processes: Processes;
  }
}
