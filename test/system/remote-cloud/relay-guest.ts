// Creates the host end of a relay session for one viewer without a relay, and records the received inputs.
import { randomBytes } from 'node:crypto';
import { createRelayGuest, type RelayGuest } from '../../../builtins/desktop/remote-cloud/relay-guest.ts';
import { createGuestEnd, type SealedPlace } from '../../../builtins/desktop/remote-cloud/sealing.ts';

export interface RecordingRelayGuest extends RelayGuest {
  readonly secret: Uint8Array;
  readonly place: SealedPlace;
  readonly received: string[];
  readonly posted: Uint8Array[];
  /** Sends a text of the host to the viewer, who has joined. */
  send(text: string): void;
  isOver(): boolean;
}

/** The caller disposes it. */
export function startRelayGuest(more: Partial<SealedPlace> = {}, secret = new Uint8Array(randomBytes(32))): RecordingRelayGuest {
  const place: SealedPlace = { session: 'relay_1', role: 'control', guest: randomBytes(16).toString('base64url'), ...more };
  const received: string[] = [];
  const posted: Uint8Array[] = [];
  let isOver = false;
  let send = (_: string): void => undefined;
  const guest = createRelayGuest({
    ...{ secret, place, code: 'CODE2345' },
    remoteSessions: {
      attach(attached) {
        send = attached.send;
        return {
          ...{ guestId: 'guest', closed: new AbortController().signal, leave: () => undefined, hasBroken: false },
          receive: (text: string) => void (/"(ping|ack)"/.test(text) || received.push(text)),
        };
      },
    },
    async post(number, packet) {
      posted.push(packet);
      return { has: number, isWaiting: true };
    },
    onOver: () => (isOver = true),
    onFault: () => undefined,
  });
  return Object.assign(guest, { secret, place, received, posted, send: (text: string) => send(text), isOver: () => isOver });
}

/** Seals the messages of a viewer: a greeting, then `count` texts, each under its own number. */
export function sealedMessagesOf(secret: Uint8Array, place: SealedPlace, count: number): { readonly texts: string[]; readonly messages: Uint8Array[] } {
  const { inputs } = createGuestEnd(secret, place);
  const texts = Array.from({ length: count }, (_, at) => JSON.stringify({ v: 1, type: 'down', n: at + 1, of: place.guest }));
  return { texts, messages: [JSON.stringify({ name: 'Phone' }), ...texts].map((text) => inputs.seal(new TextEncoder().encode(text))) };
}
