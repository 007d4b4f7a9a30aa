// Defines the contract of child process tracking: tags processes, and finds and terminates tagged processes and their descendants.

/** A tag: an environment variable that all descendants inherit, regardless of parent, group or session. */
export interface ProcessMark {
  readonly environment: Readonly<Record<string, string>>;
}

export interface ProcessUse {
  readonly count: number;
  /** Memory in bytes, including swap, excluding file-backed memory. */
  readonly bytes: number;
}

/**
 * Finds processes with information from the system. Requires Linux; on other systems, it finds none, and callers rely on process groups. Contract: no method
 * rejects or throws.
 */
export interface Processes {
  /** Creates a tag for one child. When the server ends, it terminates all processes that still have the tag. */
  createMark(): ProcessMark;
  /** Returns the ids of the living processes with the tag and of their descendants. */
  find(mark: ProcessMark): Promise<readonly number[]>;
  /** Returns the ids of the living processes of a process group, without zombies; `undefined` if unknown. */
  members(group: number): Promise<readonly number[] | undefined>;
  /** Sends SIGKILL until no process with the tag is left, for at most a second. Returns whether any process had the tag. */
  end(mark: ProcessMark): Promise<boolean>;
  /**
   * Returns the current memory of the processes with each tag and of their descendants. For totals below `bytesAllowed`, shared memory may be counted several
   * times, which is faster to measure.
   */
  measure(marks: readonly ProcessMark[], bytesAllowed: number): Promise<readonly ProcessUse[]>;
  /** Returns whether a process descends from this one or from an earlier server of this home folder, or runs in a sandbox; `false` for this process itself. */
  isOurs(pid: number): boolean;
}

declare module 'agent-harness/kernel' {
  interface Services {
    processes: Processes;
  }
}
