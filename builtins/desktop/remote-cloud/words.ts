// Derives the four words that host and viewer compare. Runs in browsers too.
import { spokenCheck } from '#lib/spoken-check';

export interface ViewerPlace {
  readonly session: string;
  readonly role: string;
  readonly guest: string;
}

/** Returns the words, which are the same on both screens. */
export function wordsOf(secret: Uint8Array, { session, role, guest }: ViewerPlace): string {
  return spokenCheck(secret, ['words', session, role, guest]);
}
