// The contract of child process tracking: marks processes, finds and ends them and their descendants.

/** An environment variable inherited by all descendants, regardless of parent, group or session. */
export interface ProcessMark {
  readonly environment: Readonly<Record<string, string>>;
}

export interface ProcessUse {
  readonly count: number;
  /** Memory including swap, without files. */
  readonly bytes: number;
}

/**
 * Finds processes by system information. Requires Linux; elsewhere none are found, and process groups must suffice.
 * Contract: nothing here rejects or throws.
 */
export interface Processes {
  /** Creates a mark for one child. It ends with the server, which then ends processes that still carry it. */
  createMark(): ProcessMark;
  /** Returns living processes that carry the mark, and their descendants. */
  find(mark: ProcessMark): Promise<readonly number[]>;
  /** Returns living processes of that group, without zombies. `undefined` if unknown. */
  members(group: number): Promise<readonly number[] | undefined>;
  /** Sends SIGKILL until none is left, for at most a second. Returns whether there was one. */
  end(mark: ProcessMark): Promise<boolean>;
  /**
   * Returns the current memory of the processes of each mark and their descendants. Up to `bytesAllowed`, memory shared by processes
   * may count several times.
   */
  measure(marks: readonly ProcessMark[], bytesAllowed: number): Promise<readonly ProcessUse[]>;
  /** Whether a process descends from this one or from an earlier server of this home folder, or runs in a sandbox. False for this process itself. */
  isOurs(pid: number): boolean;
}

declare module 'agent-harness/kernel' {
  interface Services {
    processes: Processes;
  }
}
