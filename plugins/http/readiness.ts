// Waits for plugins: for those of the product, or for all.
import { withLimit } from 'agent-harness/lib/async';
import type { MakeError } from './error-table.ts';

export interface Readiness {
  settle(): void;
  isSettled(): boolean;
  /** Rejects with `NOT_READY` when it takes longer than 10 s. */
  wait(): Promise<void>;
}

const patienceMs = 10_000;

export function createReadiness(makeError: MakeError): Readiness {
  let isReady = false;
  let settle: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (settle = resolve));

  return {
    settle() {
      isReady = true;
      settle();
    },
    isSettled: () => isReady,
    async wait() {
      if (isReady) return;
      await withLimit(ready, patienceMs, () => {
        throw makeError('NOT_READY', { retryAfter: 1 });
      });
    },
  };
}
