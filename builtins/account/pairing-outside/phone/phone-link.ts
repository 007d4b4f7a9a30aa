// Implements the link of a remotely paired device to its computer: joins at the relay, polls one request at a time, and reconnects.
import { backoffMs } from '#lib/async';
import { createRelayCalls, JoinRefused, joinRelay, type RelayCall } from '#lib/relay-calls';
import { createRelayOutbox, type RelayOutbox } from '#lib/relay-outbox';
import { readBatch } from '../link/batch.ts';
import { createExchanges, type Exchanges } from '../link/exchange.ts';
import { fieldsOf, kinds, linkVersion, readFrame, writeFrame } from '../link/frame.ts';
import { createPhoneKeys, epochBytes } from '../link/sealing.ts';

/** State of the link. `unknown`: the relay has no such link, because the computer is off or withdrew it. `over`: closed permanently, with the reason. */
export type LinkState = 'joining' | 'open' | 'away' | 'offline' | 'unknown' | 'over';

export interface PhoneLinkOptions {
  readonly origin: string;
  readonly code: string;
  readonly secret: Uint8Array;
  /** First message of the device. */
  readonly greeting: Readonly<Record<string, unknown>>;
  /** Called with the host's reply to the greeting. */
  readonly onGreeted: (fields: Readonly<Record<string, unknown>>) => void;
  readonly onState: (state: LinkState, why?: string) => void;
  readonly fetch?: typeof fetch;
  /** Delays in milliseconds; only tests use shorter ones. */
  readonly retry?: { readonly first: number; readonly longest: number };
}

export interface PhoneLink {
  /** Undefined before the host greeted this device. */
  readonly exchanges: Exchanges | undefined;
  /** Resolves with the exchanges, or with `undefined` after the timeout. */
  ready(withinMs: number): Promise<Exchanges | undefined>;
  /** Polls immediately. */
  wake(): void;
  close(): void;
}

/** Default retry delays in milliseconds. */
const defaultRetry = { first: 300, longest: 15_000 };
/** Retry delay of an unknown link in milliseconds; the relay counts each attempt as a guess. */
const unknownMs = 12_000;
/** Maximum number of unacknowledged messages; beyond it, senders wait. */
const maxWaiting = 24;
/** Time without a response, in milliseconds, after which a host is treated as away. */
const silenceMs = 8_000;

/** Opens the link. The caller must close it. */
export function openPhoneLink(options: PhoneLinkOptions): PhoneLink {
  const { origin, code, secret, greeting, onGreeted, onState, retry = defaultRetry } = options;
  const ask: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const closing = new AbortController();
  const waiting = new Set<() => void>();
  let exchanges: Exchanges | undefined;
  let skip: (() => void) | undefined;
  let state: LinkState | undefined;

  function become(next: LinkState, why?: string): void {
    if (closing.signal.aborted || (state === next && why === undefined)) return;
    state = next;
    onState(next, why);
    if (next !== 'over') return;
    closing.abort();
    notify();
  }

  function notify(): void {
    for (const resolve of waiting) resolve();
    waiting.clear();
  }

  const rest = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      skip = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<void> {
    become('joining');
    for (let tries = 0; !closing.signal.aborted;) {
      const calls = createRelayCalls(origin, ask);
      try {
        const { guest } = await joinRelay(calls, code, secret);
        tries = 0;
        await stay(calls, guest);
      } catch (fault) {
        const isUnknown = fault instanceof JoinRefused && fault.status >= 400 && fault.status < 500;
        become(isUnknown ? 'unknown' : 'offline');
        if (!closing.signal.aborted) await rest(isUnknown ? unknownMs : backoffMs(tries++, retry));
      }
    }
  }

  /** Resolves when the relay no longer knows this guest. */
  async function stay(calls: RelayCall, guest: string): Promise<void> {
    const leaving = new AbortController();
    const signal = AbortSignal.any([closing.signal, leaving.signal]);
    const endpoint = createSeat({ calls, guest, leave: () => leaving.abort() });
    try {
      for (let tries = 0; !signal.aborted;) {
        try {
          const isKnown = await poll(calls, endpoint, signal);
          if (!isKnown) return;
          tries = 0;
        } catch {
          if (signal.aborted) return;
          become('offline');
          await rest(backoffMs(tries++, retry));
        }
      }
    } finally {
      endpoint.dispose();
      if (signal.aborted) calls.leave();
    }
  }

  async function poll(calls: RelayCall, endpoint: Seat, signal: AbortSignal): Promise<boolean> {
    const reply = await calls.get(`/api/remote/poll?after=${endpoint.count()}`, signal);
    if (reply.status === 401 || reply.status === 403) return false;
    if (!reply.ok) throw new Error(`the relay responded with status ${reply.status}`);
    const packet = reply.status === 204 ? undefined : new Uint8Array(await reply.arrayBuffer());
    if (signal.aborted) return true;
    if (packet) endpoint.take(packet);
    if (reply.headers.get('x-relay-host') === 'away') become('away');
    else if (exchanges && !endpoint.isSilent()) become('open');
    return true;
  }

  interface Seat {
    count(): number;
    /** Returns whether the host stopped acknowledging messages. */
    isSilent(): boolean;
    take(packet: Uint8Array): void;
    dispose(): void;
  }

  function createSeat({ calls, guest, leave }: { readonly calls: RelayCall; readonly guest: string; readonly leave: () => void }): Seat {
    let keys: ReturnType<typeof createPhoneKeys> | undefined;
    let epoch: Uint8Array | undefined;
    let outbox: RelayOutbox<Uint8Array> | undefined;
    let own: Exchanges | undefined;
    let received = 0;
    const free = new Set<() => void>();
    const joinedAt = Date.now();
    const isSilent = (): boolean => (own && exchanges === own ? (outbox?.silentMs ?? 0) : Date.now() - joinedAt) > silenceMs;
    const watching = setInterval(() => isSilent() && become('away'), 1_000);

    const room = (): Promise<void> => ((outbox?.waiting ?? 0) < maxWaiting ? Promise.resolve() : new Promise((resolve) => free.add(resolve)));

    function begin(drawn: Uint8Array): ReturnType<typeof createPhoneKeys> {
      epoch = drawn;
      keys = createPhoneKeys(secret, { guest, epoch });
      const box = (outbox = createRelayOutbox<Uint8Array>({ calls, sealer: keys.up, encode: (message) => message, onRefused: leave }));
      own = createExchanges({ send: (message) => box.add(message), room });
      return keys;
    }

    function take(packet: Uint8Array): void {
      const drawn = packet.subarray(0, epochBytes);
      const isSame = epoch === undefined || drawn.every((byte, at) => byte === epoch?.[at]);
      const { down } = keys ?? begin(drawn.slice());
      const content = isSame ? down.open(packet.subarray(epochBytes)) : undefined;
      const batch = content && readBatch(content);
      // The batch is not encrypted by the host, was changed, or has a gap: starts a new session with new keys.
      if (!batch || batch.first > received + 1) return leave();
      if (down.count === 1) outbox?.add(writeFrame(kinds.greeting, 0, { v: linkVersion, ...greeting }));
      outbox?.taken(batch.taken);
      if ((outbox?.waiting ?? 0) < maxWaiting) {
        for (const resolve of free) resolve();
        free.clear();
      }
      for (const [at, message] of batch.messages.entries()) {
        if (batch.first + at <= received) continue;
        received = batch.first + at;
        receive(message);
      }
    }

    function receive(message: Uint8Array): void {
      const frame = readFrame(message);
      if (frame?.kind === kinds.goodbye) return become('over', String(fieldsOf(frame)['why']));
      if (frame?.kind !== kinds.greeting) return void (frame && own?.take(frame));
      exchanges = own;
      onGreeted(fieldsOf(frame));
      become('open');
      notify();
    }

    return {
      count: () => keys?.down.count ?? 0,
      isSilent,
      take,
      dispose() {
        clearInterval(watching);
        outbox?.dispose();
        if (exchanges === own) exchanges = undefined;
        own?.close();
        for (const resolve of free) resolve();
      },
    };
  }

  void run();
  return {
    get exchanges() {
      return exchanges;
    },
    async ready(withinMs) {
      if (exchanges || closing.signal.aborted) return exchanges;
      let timer: ReturnType<typeof setTimeout> | undefined;
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
        timer = setTimeout(resolve, withinMs);
      });
      clearTimeout(timer);
      return exchanges;
    },
    wake: () => skip?.(),
    close: () => closing.abort(),
  };
}
