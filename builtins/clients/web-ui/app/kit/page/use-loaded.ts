// Loads data from the server, and loads it again when its key changes or on request.
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { explainError } from './explain-error.ts';

export interface Loaded<T> {
  /** The newest result, which remains during a reload to avoid layout shifts. */
  readonly value?: T;
  /** Reason why the last load failed. */
  readonly problem?: string;
  readonly isLoading: boolean;
  reload(): void;
}

interface Answer<T> {
  readonly key: string;
  readonly attempt: number;
  readonly value?: T;
  readonly problem?: string;
}

/** @param key text that identifies the data; a new key triggers a load, and `undefined` loads nothing. */
export function useLoaded<T>(key: string | undefined, read: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [attempt, setAttempt] = useState(0);
  const [answer, setAnswer] = useState<Answer<T>>();
  const readNow = useEffectEvent(read);

  useEffect(() => {
    if (key === undefined) return;
    const gone = new AbortController();
    readNow(gone.signal).then(
      (value) => {
        if (!gone.signal.aborted) setAnswer({ key, attempt, value });
      },
      (error: unknown) => {
        if (!gone.signal.aborted) setAnswer((before) => ({ ...before, key, attempt, problem: explainError(error) }));
      },
    );
    return () => gone.abort();
  }, [key, attempt]);

  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  const isLoading = key !== undefined && (answer?.key !== key || answer.attempt !== attempt);
  return {
    ...(answer?.value === undefined ? {} : { value: answer.value }),
    ...(answer?.problem === undefined || isLoading ? {} : { problem: answer.problem }),
    isLoading,
    reload,
  };
}
