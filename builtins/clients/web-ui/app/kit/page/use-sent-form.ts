// Submits a form, one request at a time, and shows errors in the form.
import { useState, type FormEvent } from 'react';
import { explainError } from './explain-error.ts';

export interface SentForm {
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  readonly submit: (event: FormEvent) => void;
}

/** @param onSent closes the form, which stays busy until then */
export function useSentForm<T>(send: () => Promise<T>, onSent: (answer: T) => void): SentForm {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function sendNow(): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      onSent(await send());
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
      void sendNow();
    },
  };
}
