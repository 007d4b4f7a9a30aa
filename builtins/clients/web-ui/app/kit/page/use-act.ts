// Runs the action of a button, one at a time, and shows a notice with its result.
import { explainError } from './explain-error.ts';
import { useShell } from '../shell-context.ts';
import { useState } from 'react';

export interface Act {
  readonly isBusy: boolean;
  /** Runs the work. Resolves with `true` on success, or with `false` after showing the failure as a notice. @param done notice to show on success */
  run(work: () => Promise<unknown>, done?: string): Promise<boolean>;
}

/** @param onEnd called after success and failure, because the displayed data may be outdated */
export function useAct(onEnd?: () => void): Act {
  const { tell } = useShell();
  const [isBusy, setBusy] = useState(false);
  return {
    isBusy,
    async run(work, done) {
      setBusy(true);
      try {
        await work();
        if (done !== undefined) tell(done);
        return true;
      } catch (error) {
        tell(explainError(error), 'bad');
        return false;
      } finally {
        setBusy(false);
        onEnd?.();
      }
    },
  };
}
