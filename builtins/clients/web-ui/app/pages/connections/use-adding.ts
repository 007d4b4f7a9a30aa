// Sends the form of a new connection.
import { useState, type FormEvent } from 'react';
import { explainError } from '../shared/explain-error.ts';
import type { Added } from './connection-calls.ts';

export interface Adding {
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  readonly submit: (event: FormEvent) => void;
}

export function useAdding(send: () => Promise<Added>, onAdded: (added: Added) => void): Adding {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function add(): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      onAdded(await send());
    } catch (error) {
      setProblem(explainError(error));
      setBusy(false);
    }
  }

  return {
    problem,
    isBusy,
    submit(event) {
      event.preventDefault();
      void add();
    },
  };
}
