// Limits the time to wait for the browser, because a page can block its own thread forever.
import { withLimit } from '#lib/async';

/** Rejects after the given number of milliseconds. The work continues, and its later rejection is ignored. @param what subject of the error message */
export function within<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
  return withLimit<T, never>(work, ms, () => {
    throw new Error(`${what} did not reply within ${ms / 1000} s; its scripts may be busy.`);
  });
}
