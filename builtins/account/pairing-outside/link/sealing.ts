// Encrypts messages between a remotely paired device and its host, with separate keys per direction and session. Runs in browsers too.
import { linkOpener, linkSealer, type Opener, type Sealer } from '#lib/sealed-link';

/** Both sides generate a new random part, so that neither earlier messages nor a relay's copy can be replayed. */
export interface LinkPlace {
  /** Random part of the device. */
  readonly guest: string;
  /** Random part of the host; sent unencrypted, as a changed value only yields keys that do not match. */
  readonly epoch: Uint8Array;
}

/** Role of these sessions at the relay; keys of a mirroring session do not match. */
export const pageRole = 'page';
/** Size of the host's random part in bytes. */
export const epochBytes = 16;

const contextOf = (what: 'down' | 'up', { guest, epoch }: LinkPlace): string[] => [what, pageRole, guest, [...epoch].join('.')];

/** Creates the keys of the host. Contract: call at most once per place and secret. */
export function createHostKeys(secret: Uint8Array, place: LinkPlace): { readonly down: Sealer; readonly up: Opener } {
  return { down: linkSealer(secret, contextOf('down', place)), up: linkOpener(secret, contextOf('up', place), { isGapless: true }) };
}

/** Creates the keys of the device. Contract: call at most once per place and secret. */
export function createPhoneKeys(secret: Uint8Array, place: LinkPlace): { readonly down: Opener; readonly up: Sealer } {
  return { down: linkOpener(secret, contextOf('down', place)), up: linkSealer(secret, contextOf('up', place)) };
}
