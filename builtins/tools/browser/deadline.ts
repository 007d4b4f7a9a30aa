// A limit for what may never answer: a page can keep its own thread busy for ever.
import { withLimit } from 'agent-harness/lib/async';

/** Rejects after that many milliseconds. What was given goes on, and its failure is swallowed then. */
export function within<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
  return withLimit<T, never>(work, ms, () => {
    throw new Error(`${what} did not answer within ${ms / 1000} s; its scripts may be busy.`);
  });
}
