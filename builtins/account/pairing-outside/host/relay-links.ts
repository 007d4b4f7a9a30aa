// Keeps the relay links of this server open: one per remotely paired device, and one for a pending pairing.
import { randomBytes } from 'node:crypto';
import { backoffMs, createUnderWay, restUntil } from '#lib/async';
import { openRelaySession, type RelaySessionParts } from '#lib/relay-host';
import { secretText } from '#lib/sealed-link';
import { encodeGoodbye } from '#lib/tunnel-codec';
import { createTunnelHost, type TunnelHostParts, type TunnelLine } from '#lib/tunnel-host';
import type { Pairing, PairingOffer } from 'agent-harness/builtins/account/pairing';
import { drawCode, type LinkStore, type StoredLink } from './link-store.ts';
import { servePage } from './page-session.ts';
import { pairOverRelay } from './pair-over-relay.ts';

export interface RelayLinksParts {
  readonly store: LinkStore;
  readonly pairing: Pairing;
  readonly ask: RelaySessionParts['ask'];
  /** Returns the address of a listener that treats no client as the local user. */
  readonly listenerAddress: () => Promise<string>;
  readonly version: string;
  readonly warn: (message: string) => void;
}

export interface RelayLinks {
  /** Opens the stored links. */
  start(): Promise<void>;
  /** Resolves with the address that the device opens; it contains the key. Rejects with the control plane's error. */
  offer(offer: PairingOffer): Promise<string>;
  /** Closes the links of devices that are no longer paired. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Lifetime of a relay session in milliseconds, below the maximum of the relay; the session is reopened afterwards. */
const ttlMs = 23 * 3_600_000;
/** Reconnect delays in milliseconds. */
const backoff = { first: 500, longest: 60_000 };
/** Role of these sessions at the relay. */
const role = 'page';
/** Maximum number of device sessions during one relay session. */
const maxGuests = 5_000;
/** Time without a poll, in milliseconds, after which a device must start a new session. */
const awayMs = 45_000;

/** Duration in milliseconds below which a session counts as failed: two computers with the same home folder would keep ending each other's session. */
const steadyMs = 60_000;

interface OpenLink {
  readonly ending: AbortController;
  readonly lines: Set<TunnelLine>;
  /** Resolves when the relay has opened the link or the link is closed. */
  readonly first: Promise<void>;
  readonly over: Promise<void>;
}

/** Creates the manager of the relay links. The caller must close it. */
export function createRelayLinks({ store, pairing, ask, listenerAddress, version, warn }: RelayLinksParts): RelayLinks {
  const open = new Map<string, OpenLink>();
  const offers = createUnderWay();
  /** Links of unpaired devices that are still being notified. */
  const ends = new Set<OpenLink>();
  let offering: AbortController | undefined;
  let isClosed = false;

  /** @param lines receives the open lines, for last messages */
  const endpointsFor = (secret: Uint8Array, lines: Set<TunnelLine>, admit: TunnelHostParts['admit']): RelaySessionParts['createEndpoint'] => {
    return (endpoint) =>
      createTunnelHost({
        ...{ ...endpoint, secret, role, awayMs },
        admit(line, greeting) {
          lines.add(line);
          const user = admit(line, greeting);
          return {
            take: (frame) => user.take(frame),
            close() {
              lines.delete(line);
              user.close();
            },
          };
        },
      });
  };

  /** Opens one session per device: a second session under the same code would end the first. */
  function begin(link: StoredLink): Promise<void> {
    const { deviceId, code, secret } = link;
    const known = open.get(deviceId);
    if (known) return known.first;
    if (isClosed) return Promise.resolve();
    const lines = new Set<TunnelLine>();
    const ending = new AbortController();
    const admits = async (token: string): Promise<boolean> => (await pairing.identify(token))?.id === deviceId;
    const createEndpoint = endpointsFor(secret, lines, (line, greeting) => servePage(line, greeting, { admits, listenerAddress, version }));
    let opened: () => void;
    const first = new Promise<void>((resolve) => (opened = resolve));
    const run = async (): Promise<void> => {
      for (let tries = 0; !ending.signal.aborted;) {
        const own = new AbortController();
        const signal = AbortSignal.any([ending.signal, own.signal]);
        try {
          const session = await openRelaySession({
            ...{ code, role, secret, ttlMs, signal, ask, createEndpoint, maxGuests },
            warn: () => undefined,
            onBurned: () => own.abort(),
          });
          opened();
          const openedAt = performance.now();
          await session.over;
          if (performance.now() - openedAt > steadyMs) tries = 0;
        } catch (fault) {
          if (tries === 0 && !ending.signal.aborted)
            warn(`paired devices outside the network cannot connect at the moment: ${String((fault as Error).message)}`);
        }
        if (!ending.signal.aborted) await restUntil(backoffMs(tries++, backoff), ending.signal);
      }
      opened();
    };
    open.set(deviceId, { ending, lines, first, over: run() });
    return first;
  }

  return {
    async start() {
      for (const link of await store.list()) void begin(link);
      await this.check();
    },
    async offer({ code, expiresAt }) {
      offering?.abort();
      const ending = (offering = new AbortController());
      const secret = new Uint8Array(randomBytes(32));
      const relayCode = drawCode();
      const lines = new Set<TunnelLine>();
      const pair = async (name: string) => {
        const { device, token } = await pairing.pair(code, name);
        const link = await store.add(device.id);
        await begin(link);
        return { token, code: link.code, secret: secretText(link.secret) };
      };
      const lastsMs = Math.max(1_000, Date.parse(expiresAt) - Date.now());
      const timer = setTimeout(() => ending.abort(), lastsMs).unref();
      const { url, over } = await openRelaySession({
        ...{ code: relayCode, role, secret, ttlMs: lastsMs, signal: ending.signal, ask, warn: () => undefined, onBurned: () => ending.abort() },
        createEndpoint: endpointsFor(secret, lines, (line, greeting) =>
          pairOverRelay(line, greeting, pair, () => setTimeout(() => ending.abort(), 5_000).unref()),
        ),
      });
      void offers.add(over.finally(() => clearTimeout(timer)));
      return `${url}#k=${secretText(secret)}`;
    },
    async check() {
      // Takes the snapshot before it reads the device list, so that every listed link was paired by then.
      const linked = [...open];
      const known = new Set((await pairing.devices()).map(({ id }) => id));
      const gone = linked.filter(([deviceId]) => !known.has(deviceId) && open.has(deviceId));
      if (gone.length === 0) return;
      for (const [deviceId, link] of gone) {
        const { ending, lines, over } = link;
        open.delete(deviceId);
        ends.add(link);
        void over.then(() => ends.delete(link));
        // Ignores further messages of the device; the last message reports the end.
        const hasLines = lines.size > 0;
        for (const line of [...lines]) line.finish(encodeGoodbye('revoked'));
        if (hasLines) setTimeout(() => ending.abort(), 2_000).unref();
        else ending.abort();
      }
      await store.remove(gone.map(([deviceId]) => deviceId));
    },
    async close() {
      isClosed = true;
      offering?.abort();
      const links = [...open.values(), ...ends];
      for (const { ending } of links) ending.abort();
      open.clear();
      await Promise.all([...links.map(({ over }) => over), offers.idle()]);
    },
  };
}
