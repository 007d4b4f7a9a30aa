// Creates the host end of a relay session for one viewer without a relay, and records the received inputs.
import { randomBytes } from 'node:crypto';
import { createRelayGuest, type RelayGuest } from '../../../builtins/desktop/remote-cloud/relay-guest.ts';
import { createGuestEnd, type SealedPlace } from '../../../builtins/desktop/remote-cloud/sealing.ts';

export interface LoneSeat extends RelayGuest {
  readonly secret: Uint8Array;
  readonly place: SealedPlace;
  readonly heard: string[];
  readonly posted: Uint8Array[];
  isOver(): boolean;
}

/** The caller disposes it. */
export function startLoneSeat(more: Partial<SealedPlace> = {}, secret = new Uint8Array(randomBytes(32))): LoneSeat {
  const place: SealedPlace = { session: 'relay_1', role: 'control', guest: randomBytes(16).toString('base64url'), ...more };
  const heard: string[] = [];
  const posted: Uint8Array[] = [];
  let isOver = false;
  const seat = createRelayGuest({
    ...{ secret, place, code: 'CODE2345' },
    remoteSessions: {
      attach: () => ({
        ...{ guestId: 'guest', closed: new AbortController().signal, leave: () => undefined, hasBroken: false },
        receive: (text: string) => void (/"(ping|ack)"/.test(text) || heard.push(text)),
      }),
    },
    async post(number, packet) {
      posted.push(packet);
      return { has: number, isWaiting: true };
    },
    onOver: () => (isOver = true),
    onFault: () => undefined,
  });
  return Object.assign(seat, { secret, place, heard, posted, isOver: () => isOver });
}

/** Seals the messages of a viewer: a greeting, then `count` texts, each under its own number. */
export function saidBy(secret: Uint8Array, place: SealedPlace, count: number): { readonly texts: string[]; readonly messages: Uint8Array[] } {
  const { inputs } = createGuestEnd(secret, place);
  const texts = Array.from({ length: count }, (_, at) => JSON.stringify({ v: 1, type: 'down', n: at + 1, of: place.guest }));
  return { texts, messages: [JSON.stringify({ name: 'Phone' }), ...texts].map((text) => inputs.seal(new TextEncoder().encode(text))) };
}
