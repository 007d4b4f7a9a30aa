// Limits waiting for the browser: a page can block its own thread forever.
import { withLimit } from '#lib/async';

/** Rejects after that many milliseconds. The work continues, and its rejection is ignored then. */
export function within<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
  return withLimit<T, never>(work, ms, () => {
    throw new Error(`${what} did not answer within ${ms / 1000} s; its scripts may be busy.`);
  });
}
