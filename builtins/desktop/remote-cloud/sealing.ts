// Encrypts messages between host and guest of a cloud session, with separate keys per direction, session, role and guest. Runs in browsers too.
import { linkOpener, linkSealer, type Opener, type Sealer } from '#lib/sealed-link';
import { spokenCheck } from '#lib/spoken-check';

export type CloudRole = 'view' | 'control';

/** Identifies a session. A message encrypted for one session is invalid in any other. */
export interface SealedPlace {
  readonly session: string;
  /** A link for watching contains no keys for controlling. */
  readonly role: CloudRole;
  /** Random value of the guest, new for each join, so that no keys are reused. */
  readonly guest: string;
}

const contextOf = (what: string, { session, role, guest }: SealedPlace): string[] => [what, session, role, guest];

/** Returns four words that both sides show for comparison. */
export function wordsOf(secret: Uint8Array, place: SealedPlace): string {
  return spokenCheck(secret, contextOf('words', place));
}

/** Creates the host's end of a session. Contract: call at most once per place and secret. */
export function createHostEnd(secret: Uint8Array, place: SealedPlace): { readonly frames: Sealer; readonly inputs: Opener } {
  return { frames: linkSealer(secret, contextOf('frames', place)), inputs: linkOpener(secret, contextOf('inputs', place), { isGapless: true }) };
}

/** Creates the guest's end of a session. Contract: call at most once per place and secret. */
export function createGuestEnd(secret: Uint8Array, place: SealedPlace): { readonly frames: Opener; readonly inputs: Sealer } {
  return { frames: linkOpener(secret, contextOf('frames', place)), inputs: linkSealer(secret, contextOf('inputs', place)) };
}
