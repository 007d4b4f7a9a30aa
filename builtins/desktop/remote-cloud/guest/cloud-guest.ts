// Implements a guest at the relay: joins by code and secret, polls for the newest packet one request at a time, and sends encrypted input.
import { createRelayCalls, joinRelay, type RelayCall } from '#lib/relay-calls';
import { createRelayOutbox } from '#lib/relay-outbox';
import { recordIn } from '#lib/values';
import { readPacket, seqOf } from '../packet.ts';
import { createGuestEnd, wordsOf, type CloudRole, type SealedPlace } from '../sealing.ts';

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
  readonly role: CloudRole;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
  /** Four words for comparison with those that the host shows. */
  readonly words: string;
  /** Replaces the previous connection; its counters of received and sent messages continue. */
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

const retryMs = [250, 500, 1_000, 2_000, 4_000] as const;
/** Interval of pings to the host in milliseconds; in between, the open connection itself answers pings. */
const pingMs = 20_000;
/** Maximum number of unacknowledged messages: beyond it, the host counts as disconnected and the messages as outdated. */
const mostWaiting = 200;
const broken = 'Data from the relay was incomplete, so the session was ended. Open the link again.';
const ended = 'This session has ended. Ask for a new link.';

/** Joins a session. Rejects with an error whose message is a sentence for the user. */
export async function joinCloud({ origin, code, secret, name, fetch: ask = fetch }: JoinOptions): Promise<CloudGuest> {
  const calls = createRelayCalls(origin, ask);
  const joined = await joinRelay(calls, code, secret);
  const role = joined.role === 'control' ? 'control' : 'view';
  const place: SealedPlace = { session: joined.session, role, guest: joined.guest };
  return { token: calls.token, role, expiresAt: joined.expiresAt, words: wordsOf(secret, place), ...createEndpoint(calls, secret, place, name) };
}

function createEndpoint(calls: RelayCall, secret: Uint8Array, place: SealedPlace, name: string): Pick<CloudGuest, 'connect' | 'leave'> {
  const end = createGuestEnd(secret, place);
  let listeners = noListeners();
  let current = new AbortController();
  let state: CloudState | undefined;
  let isOver = false;
  let heardText = 0;
  let shownSeq = 0;
  let pingedAt = 0;
  /** Offset of the host's clock from the local one, in milliseconds. */
  let hostAhead: number | undefined;
  const outbox = createRelayOutbox<string>({
    ...{ calls, sealer: end.inputs, mostWaiting },
    encode: (text) => new TextEncoder().encode(text),
    onRefused: () => become('refused', ended),
    replaces: (last, next) => recordIn(next)['type'] === 'move' && recordIn(last)['type'] === 'move',
  });
  outbox.add(JSON.stringify({ name }));

  function become(next: CloudState, why?: string): void {
    if (isOver || (state === next && why === undefined)) return;
    state = next;
    if (next === 'refused') {
      isOver = true;
      current.abort();
      outbox.dispose();
    }
    listeners.state(next, why);
  }

  async function run(signal: AbortSignal): Promise<void> {
    for (let tries = 0; !signal.aborted;) {
      try {
        await poll(signal);
        tries = 0;
      } catch {
        if (signal.aborted) return;
        become('trying');
        await new Promise((resolve) => setTimeout(resolve, retryMs[Math.min(tries++, retryMs.length - 1)]));
      }
    }
  }

  async function poll(signal: AbortSignal): Promise<void> {
    const reply = await calls.get(`/api/remote/poll?after=${end.frames.count}`, signal);
    if (reply.status === 401 || reply.status === 403) return become('refused', ended);
    if (!reply.ok) throw new Error(`the relay responded with status ${reply.status}`);
    const message = reply.status === 204 ? undefined : new Uint8Array(await reply.arrayBuffer());
    if (signal.aborted) return;
    become(reply.headers.get('x-relay-host') === 'away' ? 'away' : 'open');
    if (message) take(message);
  }

  function take(message: Uint8Array): void {
    const content = end.frames.open(message);
    const packet = content && readPacket(content);
    // The packet is not encrypted by the host or was changed: the session cannot continue.
    if (!packet || packet.firstText > heardText + 1) return become('refused', broken);
    outbox.taken(packet.taken);
    for (const [at, text] of packet.texts.entries()) {
      if (packet.firstText + at <= heardText) continue;
      heardText = packet.firstText + at;
      const { type, hostAt } = recordIn(text);
      if (type === 'pong' && typeof hostAt === 'number') hostAhead = hostAt - Date.now();
      listeners.text(text);
    }
    if (!packet.frame) return;
    // A delayed frame arrives again under another number.
    const seq = seqOf(packet.frame);
    if (seq <= shownSeq && seq !== 0) return;
    shownSeq = seq;
    listeners.bytes(packet.frame);
  }

  /** Answers the page's pings from the known connection state, because each ping would take two requests. Returns whether the text was a ping. */
  function answerPing(at: unknown): boolean {
    if (hostAhead === undefined || Date.now() - pingedAt >= pingMs) {
      pingedAt = Date.now();
      return false;
    }
    const answer = JSON.stringify({ v: 1, type: 'pong', at, hostAt: Date.now() + hostAhead });
    if (state === 'open') setTimeout(() => listeners.text(answer), 0);
    return true;
  }

  return {
    connect() {
      current.abort();
      listeners = noListeners();
      state = undefined;
      const own = listeners;
      const mine = (current = new AbortController());
      // Starts after the caller registered its listeners.
      setTimeout(() => (isOver ? own.state('refused', ended) : void run(mine.signal)), 0);
      return {
        send(text) {
          const { type, at } = recordIn(text);
          // The next poll acknowledges the previous frame.
          if (isOver || mine.signal.aborted || type === 'ack' || (type === 'ping' && answerPing(at))) return;
          outbox.add(text);
        },
        onBytes: (listener) => void (own.bytes = listener),
        onText: (listener) => void (own.text = listener),
        onState: (listener) => void (own.state = listener),
        close() {
          mine.abort();
          if (listeners === own) listeners = noListeners();
        },
      };
    },
    leave() {
      if (!isOver) calls.leave();
      isOver = true;
      current.abort();
      outbox.dispose();
    },
  };
}

interface Listeners {
  bytes: (frame: Uint8Array) => void;
  text: (text: string) => void;
  state: (state: CloudState, why?: string) => void;
}

const noListeners = (): Listeners => ({ bytes: () => undefined, text: () => undefined, state: () => undefined });
