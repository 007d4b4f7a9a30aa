// The contract of child process tracking: marks processes, and finds and ends them with their descendants.

/** An environment variable that all descendants inherit, regardless of parent, group or session. */
export interface ProcessMark {
  readonly environment: Readonly<Record<string, string>>;
}

export interface ProcessUse {
  readonly count: number;
  /** Memory including swap, without files. */
  readonly bytes: number;
}

/**
 * Finds processes by system information. Requires Linux; on other systems, it finds none, and process groups must suffice.
 * Contract: no method rejects or throws.
 */
export interface Processes {
  /** Creates a mark for one child. It is valid until the server ends, which then ends all processes that still carry it. */
  createMark(): ProcessMark;
  /** Returns the living processes with the mark, and their descendants. */
  find(mark: ProcessMark): Promise<readonly number[]>;
  /** Returns the living processes of that group, without zombies; `undefined` if unknown. */
  members(group: number): Promise<readonly number[] | undefined>;
  /** Sends SIGKILL until no process with the mark is left, for at most a second. Returns whether there was one. */
  end(mark: ProcessMark): Promise<boolean>;
  /**
   * Returns the current memory of the processes of each mark with their descendants. Up to `bytesAllowed`, shared memory
   * may count several times.
   */
  measure(marks: readonly ProcessMark[], bytesAllowed: number): Promise<readonly ProcessUse[]>;
  /** Returns whether a process descends from this one or from an earlier server of this home folder, or runs in a sandbox. False for this process itself. */
  isOurs(pid: number): boolean;
}

declare module 'agent-harness/kernel' {
  interface Services {
    processes: Processes;
  }
}
