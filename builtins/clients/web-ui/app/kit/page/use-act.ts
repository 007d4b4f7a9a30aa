// Does something that a button asked for: once at a time, and what came of it is told.
import { explainError } from './explain-error.ts';
import { useShell } from '../shell-context.ts';
import { useState } from 'react';

export interface Act {
  readonly isBusy: boolean;
  /** Resolves when it was done, or had failed and was told. @param done told afterwards */
  run(work: () => Promise<unknown>, done?: string): Promise<boolean>;
}

/** @param onEnd however it went: what is shown may be old by then */
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
