// Converts an error of a call to a sentence for users. Pure.
import { codeOf, sentencesOf } from '#lib/errors';
import { t } from '../t.ts';

interface Failed {
  readonly message?: unknown;
  readonly details?: unknown;
}

/** Returns a sentence about the error: usually the server's own message, with its advice if there is any. */
export function explainError(error: unknown): string {
  if (codeOf(error) === 'network') return t('The server does not respond. Check that it runs, then try again.');
  if (codeOf(error) === 'turn_in_progress') return t('A turn is running, and nothing is changed underneath it. Wait for its end or stop it, then try again.');
  const message = (error as Failed | undefined)?.message;
  return typeof message === 'string' && message !== '' ? sentencesOf(error) : t('Something went wrong.');
}

/** Returns the details of the server's error; an empty object if there are none. */
export function detailsOf(error: unknown): Readonly<Record<string, unknown>> {
  const details = (error as Failed | undefined)?.details;
  return typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {};
}
