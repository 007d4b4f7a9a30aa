// The contract of jobs: recurring work at an interval, at clock times, or while idle.

/** The schedule of a job. */
export type JobTiming =
  /** Milliseconds after its last start, at least 1,000; the first time immediately. */
  | { readonly everyMs: number }
  /** A cron pattern of five fields (or six, with seconds first), in the time zone of the machine or the one given (IANA). */
  | { readonly cron: string; readonly timeZone?: string }
  /** Once per period without a running turn of that many milliseconds; a starting turn aborts the run. */
  | { readonly idleMs: number };

export interface JobContext {
  /** Aborted when the app stops, the job's plugin ends, or, for an idle job, a turn starts: end soon then. */
  readonly signal: AbortSignal;
  /** Due time of this run, in milliseconds since 1970; in the past if the app was not running. */
  readonly dueAt: number;
}

/**
 * Contribution point `job`. Jobs run while the app runs, in the one process that holds the home folder, and never twice at
 * once. Due times are stored in `schedule.json`: runs missed while nothing ran are made up for once, at the next start.
 */
export interface Job {
  /** kebab-case, unique. The key of its due time. */
  readonly name: string;
  readonly when: JobTiming;
  /** A throw or rejection is reported as an error of the plugin that added the job; the next run is not affected. */
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
