// Creates one end of a sealed tunnel without a relay; the test acts as the relay and as the other end.
import { randomBytes } from 'node:crypto';
import {
  createTunnelKeys,
  epochBytes,
  frameText,
  kinds,
  encodeBatch,
  encodeFrame,
  encodeGreeting,
  type TunnelPlace,
} from '../../../../plugins/lib/tunnel-codec.ts';
import { openTunnel, type TunnelEnd, type TunnelGuest } from '../../../../plugins/lib/tunnel-guest.ts';
import { createTunnelHost, type TunnelHost, type TunnelLine } from '../../../../plugins/lib/tunnel-host.ts';

export const newSecret = (): Uint8Array => new Uint8Array(randomBytes(32));
export const newPlace = (more: Partial<TunnelPlace> = {}): TunnelPlace => ({
  ...{ role: 'control', guest: randomBytes(16).toString('base64url'), epoch: new Uint8Array(randomBytes(epochBytes)) },
  ...more,
});
export const text = (content: string): Uint8Array => encodeFrame(kinds.text, 0, content);

export interface RecordingHost {
  readonly host: TunnelHost;
  readonly secret: Uint8Array;
  /** Place of this tunnel; its epoch is in the first packet. */
  readonly place: TunnelPlace;
  readonly line: () => TunnelLine | undefined;
  /** Texts that the user received after the greeting. */
  readonly received: readonly string[];
  readonly posted: readonly Uint8Array[];
  readonly isOver: () => boolean;
}

/** Starts a host whose relay has announced the guest. The caller disposes it. @param isReceived whether the relay reports each packet as received */
export function startHost(secret = newSecret(), isReceived = true): RecordingHost {
  const { guest, role } = newPlace();
  const received: string[] = [];
  const posted: Uint8Array[] = [];
  let isOver = false;
  let line: TunnelLine | undefined;
  const host = createTunnelHost({
    ...{ secret, role, guest },
    async post(number, packet) {
      posted.push(packet);
      return isReceived ? number : 0;
    },
    onOver: () => (isOver = true),
    admit(admitted) {
      line = admitted;
      return { take: (frame) => void received.push(frameText(frame)), close: () => undefined };
    },
  });
  host.tell({ address: '127.0.0.1', has: 0, quietMs: 0 });
  const place = { guest, role, epoch: posted[0]!.slice(0, epochBytes) };
  return { host, secret, place, received, posted, line: () => line, isOver: () => isOver };
}

/** Encrypts the messages of a guest: a greeting, then `count` texts, each under its own number. */
export function guestMessages(secret: Uint8Array, place: TunnelPlace, count: number): { readonly texts: string[]; readonly messages: Uint8Array[] } {
  const { sealer } = createTunnelKeys('guest', secret, place);
  const texts = Array.from({ length: count }, (_, at) => `text ${at + 1} of ${place.guest}`);
  return { texts, messages: [encodeGreeting({ name: 'Phone' }), ...texts.map(text)].map((message) => sealer.seal(message)) };
}

/** Encrypts packets of a host; each one is the list of messages, starting at a number. */
export function hostPackets(secret: Uint8Array, place: TunnelPlace, batches: readonly { readonly first: number; readonly messages: readonly Uint8Array[] }[]) {
  const { sealer } = createTunnelKeys('host', secret, place);
  return batches.map((batch) => Buffer.concat([place.epoch, sealer.seal(encodeBatch({ taken: 0, ...batch }))]));
}

export interface RecordingGuest {
  readonly tunnel: TunnelGuest;
  readonly received: string[];
  readonly greeted: Readonly<Record<string, unknown>>[];
  readonly states: string[];
  readonly sent: Uint8Array[];
  readonly end: TunnelEnd | undefined;
  /** Answers the current poll. Resolves when the guest has handled the packet: it polls again, or has ended. */
  deliver(packet: Uint8Array): Promise<void>;
  /** Answers the current poll without a packet. */
  deliverNothing(): Promise<void>;
}

/** Starts a guest that has joined. The caller closes the tunnel. */
export function startGuest(secret: Uint8Array, place: TunnelPlace): RecordingGuest {
  const state = { received: [] as string[], greeted: [] as Record<string, unknown>[], states: [] as string[], sent: [] as Uint8Array[] };
  let answer: (reply: Response) => void = () => undefined;
  let onPoll = (): void => undefined;
  let end: TunnelEnd | undefined;
  const tunnel = openTunnel({
    ...{ secret, greeting: { name: 'Phone' } },
    endpoint: {
      ...place,
      get: (_, signal) =>
        new Promise((resolve, reject) => {
          answer = resolve;
          signal.addEventListener('abort', () => reject(new Error('aborted')));
          onPoll();
        }),
      async post(_, body) {
        state.sent.push(body as Uint8Array);
        return Response.json({ kept: 1 });
      },
      leave: () => undefined,
    },
    onGreeted: (fields) => void state.greeted.push({ ...fields }),
    take: (frame) => void state.received.push(frameText(frame)),
    onState: (next) => void state.states.push(next),
  });
  void tunnel.over.then((why) => (end = why));
  const reply = (response: Response): Promise<void> =>
    Promise.race([
      tunnel.over.then(() => undefined),
      new Promise<void>((resolve) => {
        onPoll = resolve;
        answer(response);
      }),
    ]);
  return {
    ...{ ...state, tunnel },
    deliver: (packet) => reply(new Response(Buffer.from(packet))),
    deliverNothing: () => reply(new Response(null, { status: 204 })),
    get end() {
      return end;
    },
  };
}
