// Encrypts what host and guest of a cloud session send each other: different keys for each direction, session, role and guest. Runs in browsers too.
import { linkOpener, linkSealer, type Opener, type Sealer } from '#lib/sealed-link';
import { spokenCheck } from '#lib/spoken-check';

export type CloudRole = 'view' | 'control';

/** The session of both. What was encrypted in one place is invalid in any other. */
export interface SealedPlace {
  readonly session: string;
  /** A link for watching has none of the keys for controlling. */
  readonly role: CloudRole;
  /** Generated anew by the guest at each join, so that no keys are used twice. */
  readonly guest: string;
}

const contextOf = (what: string, { session, role, guest }: SealedPlace): string[] => [what, session, role, guest];

/** Four words that both sides show. */
export function wordsOf(secret: Uint8Array, place: SealedPlace): string {
  return spokenCheck(secret, contextOf('words', place));
}

/** Contract: once for each place and secret, ever. */
export function createHostEnd(secret: Uint8Array, place: SealedPlace): { readonly frames: Sealer; readonly inputs: Opener } {
  return { frames: linkSealer(secret, contextOf('frames', place)), inputs: linkOpener(secret, contextOf('inputs', place), { isGapless: true }) };
}

/** Contract: once for each place and secret, ever. */
export function createGuestEnd(secret: Uint8Array, place: SealedPlace): { readonly frames: Opener; readonly inputs: Sealer } {
  return { frames: linkOpener(secret, contextOf('frames', place)), inputs: linkSealer(secret, contextOf('inputs', place)) };
}
