// Defines the contract of jobs: recurring work at an interval, at clock times, or while idle.

/** The timing of a job: an interval, clock times, or idle time. */
export type JobTiming =
  /** Interval between two runs in milliseconds, at least 1,000; the first run starts immediately. */
  | { readonly everyMs: number }
  /** A cron pattern of five fields (or six, with seconds first), in the time zone of the machine or in the specified one (IANA). */
  | { readonly cron: string; readonly timeZone?: string }
  /** Runs once in each period of this many milliseconds without a turn; a starting turn aborts the run. */
  | { readonly idleMs: number };

export interface JobContext {
  /** Aborted when the app stops, the job's plugin is unloaded or, for an idle job, a turn starts; the job should then end soon. */
  readonly signal: AbortSignal;
  /** Due time of this run in milliseconds since 1970; may be long past if the app was not running. */
  readonly dueAt: number;
}

/**
 * Contribution point `job`. Jobs run while the app runs, in the one process that has locked the home folder; two runs of a job never overlap. Due times are
 * stored in `schedule.json`: after a period in which the app was not running, a missed job runs once.
 */
export interface Job {
  /** Unique name in kebab-case, under which the due time is stored. */
  readonly name: string;
  readonly when: JobTiming;
  /** Runs the job. An exception or rejection is reported as an error of the plugin that added the job; it does not affect the next run. */
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
