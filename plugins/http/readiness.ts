// Waiting for the first load to be settled.
import type { MakeError } from './error-table.ts';

export interface Readiness {
  settle(): void;
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
    async wait() {
      if (isReady) return;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(makeError('NOT_READY', { retryAfter: 1 })), patienceMs)));
      await Promise.race([ready, late]).finally(() => clearTimeout(timer));
    },
  };
}
