// Work that is done from time to time, as a contribution: at an interval, at times of the clock, or while nothing else happens.

/** When a job is due. */
export type JobTiming =
  /** So many milliseconds after it last began, at least 1,000; the first time at once. */
  | { readonly everyMs: number }
  /** A cron pattern of five fields (or six, with seconds first), in the time zone of the machine or the one that is named (IANA). */
  | { readonly cron: string; readonly timeZone?: string }
  /** Once each time that no turn has run for so many milliseconds; a turn that begins ends the run by its signal. */
  | { readonly idleMs: number };

export interface JobContext {
  /** Aborted when the app stops, the job's plugin ends, or, of a job for idle times, a turn begins: end soon then. */
  readonly signal: AbortSignal;
  /** When this run was due, in milliseconds since 1970; earlier than now where the app did not run then. */
  readonly dueAt: number;
}

/**
 * Contribution point `job`. Jobs run while the app works, in the one process that holds the home folder, and never twice at
 * once. What is due is kept in `schedule.json`: what was missed while nothing ran is made up for once, at the next start.
 */
export interface Job {
  /** kebab-case, unique. What is due is kept by this name. */
  readonly name: string;
  readonly when: JobTiming;
  /** A throw or rejection is told as an error of the plugin that added the job; the next run is not affected. */
  run(context: JobContext): void | Promise<void>;
}

export interface JobRow extends Pick<Job, 'name' | 'when'> {
  readonly plugin: string;
}

/** The jobs that there are; they are added by the point. */
export interface Jobs {
  list(): JobRow[];
}

declare module 'agent-harness/kernel' {
  interface Services {
    jobs: Jobs;
  }
  interface ContributionPoints {
    job: Job;
  }
}
