// Implements a viewer at the relay: joins by code and secret, receives texts and frames over a tunnel, and sends inputs.
import { createRelayCalls, joinRelay } from '#lib/relay-calls';
import { kinds, frameText, encodeFrame, type Frame } from '#lib/tunnel-codec';
import { openTunnel, versionTexts } from '#lib/tunnel-guest';
import { recordIn } from '#lib/values';
import { wordsOf } from '../words.ts';

/** State for the guest page: `refused` is permanent. */
export type CloudState = 'open' | 'trying' | 'away' | 'refused';

export interface CloudTransport {
  /** Contract: never throws. */
  send(text: string): void;
  onBytes(listener: (frame: Uint8Array) => void): void;
  onText(listener: (text: string) => void): void;
  /** @param why reason as a sentence for the user, if known */
  onState(listener: (state: CloudState, why?: string) => void): void;
  close(): void;
}

export interface CloudGuest {
  readonly token: string;
  readonly role: 'view' | 'control';
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
  /** Four words for comparison with those that the host shows. */
  readonly words: string;
  /** Replaces the listeners of the previous connection, and polls again immediately. */
  connect(): CloudTransport;
  leave(): void;
}

export interface JoinOptions {
  /** Origin of the relay. */
  readonly origin: string;
  readonly code: string;
  readonly secret: Uint8Array;
  /** Name given by the user. */
  readonly name: string;
  readonly fetch?: typeof fetch;
}

const retry = { first: 300, longest: 4_000 };
/** Maximum number of unacknowledged messages: beyond it, the host counts as disconnected and the messages as outdated. */
const maxWaiting = 200;
const ends: Readonly<Record<string, string>> = {
  ...versionTexts,
  broken: 'Data from the relay was incomplete, so the session was ended. Open the link again.',
};
const ended = 'This session has ended. Ask for a new link.';

interface Listeners {
  bytes: (frame: Uint8Array) => void;
  text: (text: string) => void;
  state: (state: CloudState, why?: string) => void;
}

const noListeners = (): Listeners => ({ bytes: () => undefined, text: () => undefined, state: () => undefined });

/** Joins a session. Rejects with an error whose message is a sentence for the user. */
export async function joinCloud({ origin, code, secret, name, fetch: ask = fetch }: JoinOptions): Promise<CloudGuest> {
  const calls = createRelayCalls(origin, ask);
  const joined = await joinRelay(calls, code, secret);
  let listeners = noListeners();
  let state: CloudState = 'trying';
  let why: string | undefined;
  /** Offset of the host's clock from the local one, in milliseconds. */
  let hostAhead = 0;
  const tunnel = openTunnel({
    ...{ calls, secret, retry, endpoint: joined, greeting: { name } },
    onGreeted({ hostAt }) {
      hostAhead = Number(hostAt) - Date.now();
      become('open');
    },
    take,
    onState: (next) => become(next === 'offline' ? 'trying' : next),
  });
  void tunnel.over.then((end) => become('refused', ends[end] ?? ended));

  function become(next: CloudState, reason?: string): void {
    if (state === next) return;
    state = next;
    why = reason;
    listeners.state(next, reason);
  }

  function take(frame: Frame): void {
    if (frame.kind === kinds.text) listeners.text(frameText(frame));
    if (frame.kind === kinds.picture) listeners.bytes(frame.content);
  }

  /** Answers a ping of the page, because each one would take two requests. */
  function answer(at: unknown): void {
    const pong = JSON.stringify({ v: 1, type: 'pong', at, hostAt: Date.now() + hostAhead });
    if (state === 'open') setTimeout(() => listeners.text(pong), 0);
  }

  return {
    token: calls.token,
    role: joined.role === 'control' ? 'control' : 'view',
    expiresAt: joined.expiresAt,
    words: wordsOf(secret, joined),
    connect() {
      const own = (listeners = noListeners());
      tunnel.wake();
      // Reports after the caller registered its listeners.
      setTimeout(() => state !== 'trying' && own.state(state, why), 0);
      return {
        send(text) {
          const { type, at } = recordIn(text);
          if (listeners !== own || type === 'ack') return;
          if (type === 'ping') answer(at);
          else if (tunnel.waiting < maxWaiting) tunnel.send(encodeFrame(kinds.text, 0, text), type === 'move' ? 'move' : undefined);
        },
        onBytes: (listener) => void (own.bytes = listener),
        onText: (listener) => void (own.text = listener),
        onState: (listener) => void (own.state = listener),
        close() {
          if (listeners === own) listeners = noListeners();
        },
      };
    },
    leave: () => tunnel.close(),
  };
}
