// Implements the link of a remotely paired device to its computer: joins at the relay, opens a tunnel for the page's requests, and reconnects.
import { backoffMs, restUntil, withLimit, type Backoff } from '#lib/async';
import { JoinRefused, joinRelay, type RelayLink } from '#lib/relay-calls';
import type { Fields } from '#lib/tunnel-codec';
import { openTunnel, passingEnds, tunnelRetry, type TunnelGuest } from '#lib/tunnel-guest';
import { createExchanges, type Exchanges } from '../link/exchange.ts';

/** State of the link. `unknown`: the relay has no such link, because the computer is off or withdrew it. `over`: closed permanently, with the reason. */
export type LinkState = 'joining' | 'open' | 'away' | 'offline' | 'unknown' | 'over';

export interface PhoneLinkOptions extends RelayLink {
  /** First message that the device sends. */
  readonly greeting: Fields;
  /** Called with the host's reply to the greeting. */
  readonly onGreeted: (fields: Fields) => void;
  readonly onState: (state: LinkState, why?: string) => void;
  /** Delays in milliseconds; only tests use shorter ones. */
  readonly retry?: Backoff;
}

export interface PhoneLink {
  /** `undefined` until the host has greeted this device. */
  readonly exchanges: Exchanges | undefined;
  /** Resolves with the exchanges, or with `undefined` after the timeout. */
  ready(withinMs: number): Promise<Exchanges | undefined>;
  /** Polls immediately. */
  wake(): void;
  close(): void;
}

/** Retry delay of an unknown link in milliseconds; the relay counts each attempt as a guess. */
const unknownMs = 12_000;

/** Opens the link. The caller must close it. */
export function openPhoneLink({ greeting, onGreeted, onState, retry = tunnelRetry, ...link }: PhoneLinkOptions): PhoneLink {
  const waiting = new Set<() => void>();
  let exchanges: Exchanges | undefined;
  let tunnel: TunnelGuest | undefined;
  let rest = new AbortController();
  let state: LinkState | undefined;
  let isClosed = false;

  function become(next: LinkState, why?: string): void {
    if (isClosed || (state === next && why === undefined)) return;
    state = next;
    onState(next, why);
    if (next === 'over') close();
  }

  function close(): void {
    isClosed = true;
    tunnel?.close();
    notify();
    rest.abort();
  }

  function notify(): void {
    for (const resolve of waiting) resolve();
    waiting.clear();
  }

  async function run(): Promise<void> {
    become('joining');
    for (let tries = 0; !isClosed;) {
      try {
        await follow();
        tries = 0;
      } catch (fault) {
        const isUnknown = fault instanceof JoinRefused && fault.status >= 400 && fault.status < 500;
        become(isUnknown ? 'unknown' : 'offline');
        if (isClosed) return;
        rest = new AbortController();
        await restUntil(isUnknown ? unknownMs : backoffMs(tries++, retry), rest.signal);
      }
    }
  }

  /** Joins the relay; resolves when the session has ended. Each session needs new keys. */
  async function follow(): Promise<void> {
    const endpoint = await joinRelay(link);
    const own: TunnelGuest = openTunnel({
      ...{ endpoint, secret: link.secret, greeting, retry },
      onGreeted(fields) {
        exchanges = requests;
        onGreeted(fields);
        become('open');
        notify();
      },
      take: (frame) => requests.take(frame),
      onState: become,
    });
    const requests = createExchanges({ send: (message) => own.send(message), room: () => own.room() });
    tunnel = own;
    if (isClosed) own.close();
    const why = await own.over;
    exchanges = undefined;
    requests.close();
    if (!passingEnds.includes(why)) become('over', why);
  }

  void run();
  return {
    get exchanges() {
      return exchanges;
    },
    async ready(withinMs) {
      if (exchanges || isClosed) return exchanges;
      const greeted = new Promise<void>((resolve) => waiting.add(resolve));
      await withLimit(greeted, withinMs, () => undefined);
      return exchanges;
    },
    wake() {
      tunnel?.wake();
      rest.abort();
    },
    close,
  };
}
