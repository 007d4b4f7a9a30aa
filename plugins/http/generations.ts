// Keeps the generation in force up to date: one new one for each burst of route changes.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Generation } from './generation.ts';

export interface Generations {
  /** The generation of the routes there are now; waits where it is being made. */
  current(): Generation | Promise<Generation>;
  /** The routes changed. */
  invalidate(): void;
  close(): void;
}

/** The routes of a plugin come within one turn of the event loop or a few. Milliseconds. */
const quietMs = 10;
/** So long at most a burst puts off the new generation. Milliseconds. */
const patienceMs = 100;

/** @param onFault sees why a new one could not be made; the old one stays then */
export async function createGenerations(build: () => Promise<Generation>, onFault: (fault: unknown) => void): Promise<Generations> {
  let inForce = await build();
  let wanted = 0;
  let changedAt = 0;
  let renewing: Promise<void> | undefined;
  let isClosed = false;

  async function renew(): Promise<void> {
    for (let made = -1; made !== wanted && !isClosed;) {
      const begun = performance.now();
      while (performance.now() - changedAt < quietMs && performance.now() - begun < patienceMs) await sleep(quietMs);
      made = wanted;
      try {
        const old = inForce;
        inForce = await build();
        old.retire();
      } catch (fault) {
        onFault(fault);
      }
    }
    renewing = undefined;
    if (isClosed) inForce.retire();
  }

  return {
    current: () => (renewing ? renewing.then(() => inForce) : inForce),
    invalidate() {
      if (isClosed) return;
      wanted++;
      changedAt = performance.now();
      renewing ??= renew();
    },
    close() {
      isClosed = true;
      if (!renewing) inForce.retire();
    },
  };
}
