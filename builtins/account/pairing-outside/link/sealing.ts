// How a paired device and its host seal what they tell each other: other keys for each direction and each coming together. Runs in browsers, too.
import { linkOpener, linkSealer, type Opener, type Sealer } from 'agent-harness/lib/sealed-link';

/** Both sides draw their part anew, so that neither what the other said before nor what a relay kept can be said again. */
export interface LinkPlace {
  /** Drawn by the device. */
  readonly guest: string;
  /** Drawn by the host; it goes in the clear, and who changes it gets nothing but keys that fit nothing. */
  readonly epoch: Uint8Array;
}

/** The role of such a session at the relay; keys of a mirror's session open nothing here. */
export const pageRole = 'page';
export const epochBytes = 16;

const contextOf = (what: 'down' | 'up', { guest, epoch }: LinkPlace): string[] => [what, pageRole, guest, [...epoch].join('.')];

/** Contract: one for each place and secret, ever. */
export function createHostKeys(secret: Uint8Array, place: LinkPlace): { readonly down: Sealer; readonly up: Opener } {
  return { down: linkSealer(secret, contextOf('down', place)), up: linkOpener(secret, contextOf('up', place), { isGapless: true }) };
}

/** Contract: one for each place and secret, ever. */
export function createPhoneKeys(secret: Uint8Array, place: LinkPlace): { readonly down: Opener; readonly up: Sealer } {
  return { down: linkOpener(secret, contextOf('down', place)), up: linkSealer(secret, contextOf('up', place)) };
}
