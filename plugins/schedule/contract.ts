// The contract of jobs: recurring work at an interval, at clock times, or while idle.

/** The schedule of a job. */
export type JobTiming =
  /** Milliseconds between two starts, at least 1,000; the first start is at once. */
  | { readonly everyMs: number }
  /** A cron pattern of five fields (or six, with seconds first), in the time zone of the machine or the one given (IANA). */
  | { readonly cron: string; readonly timeZone?: string }
  /** Once per period of that many milliseconds without a running turn; a starting turn aborts the run. */
  | { readonly idleMs: number };

export interface JobContext {
  /** Aborted when the app stops, the job's plugin ends, or, for an idle job, a turn starts; the job should then end soon. */
  readonly signal: AbortSignal;
  /** Due time of this run, in milliseconds since 1970; long past if the app was not running. */
  readonly dueAt: number;
}

/**
 * Contribution point `job`. Jobs run while the app runs, in the one process that holds the home folder, and never twice at
 * the same time. Due times are stored in `schedule.json`: runs that were missed while the app was not running are made up for once, at the next start.
 */
export interface Job {
  /** Unique name in kebab-case; the key of the due time. */
  readonly name: string;
  readonly when: JobTiming;
  /** Runs the job. A throw or rejection is reported as an error of the plugin that added the job; it does not affect the next run. */
  run(context: JobContext): void | Promise<void>;
}

export interface JobRow extends Pick<Job, 'name' | 'when'> {
  readonly plugin: string;
}

/** The registered jobs, added through the point. */
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
