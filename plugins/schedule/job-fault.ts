// Validates a contributed job. Pure.
import type { Job } from 'agent-harness/plugins/schedule';

const leastMs = 1_000;

/** Returns the error in a job as a sentence; `undefined` for a valid job. A cron pattern is validated on first use. @param known the other jobs */
export function faultOfJob(job: Job, known: readonly Job[]): string | undefined {
  if (typeof job.name !== 'string' || !/^[a-z][a-z0-9-]*$/.test(job.name)) return 'a job needs a name in kebab-case.';
  if (known.some(({ name }) => name === job.name)) return `there is a job '${job.name}' already; name yours after your plugin.`;
  if (typeof job.run !== 'function') return `the job '${job.name}' needs a function run.`;
  const { everyMs, cron, idleMs } = Object(job.when) as Record<string, unknown>;
  if ([everyMs, cron, idleMs].filter((one) => one !== undefined).length !== 1)
    return `the job '${job.name}' needs one of when.everyMs, when.cron and when.idleMs.`;
  if (everyMs !== undefined && !(Number.isFinite(everyMs) && Number(everyMs) >= leastMs)) return `when.everyMs of '${job.name}' must be ${leastMs} or more.`;
  if (idleMs !== undefined && !(Number.isFinite(idleMs) && Number(idleMs) >= 0)) return `when.idleMs of '${job.name}' must be 0 or more.`;
  return cron === undefined || typeof cron === 'string' ? undefined : `when.cron of '${job.name}' must be a text.`;
}
