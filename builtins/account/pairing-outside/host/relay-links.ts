// Keeps the relay links of this server open: one per remotely paired device, and one for a pending pairing.
import { randomBytes } from 'node:crypto';
import { backoffMs, createUnderWay, restUntil } from '#lib/async';
import { messageOf } from '#lib/errors';
import { openRelaySession, type RelaySession, type RelaySessionParts } from '#lib/relay-host';
import { secretText } from '#lib/sealed-link';
import { textStart } from '#lib/text';
import { encodeGoodbye, encodeGreeting } from '#lib/tunnel-codec';
import type { Pairing, PairingOffer } from 'agent-harness/builtins/account/pairing';
import { drawCode, type LinkStore, type StoredLink } from './link-store.ts';
import { servePage } from './page-session.ts';

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
/** Role of these sessions at the relay. */
const role = 'page';
/** Maximum number of tunnels during one relay session. */
const maxGuests = 5_000;
/** Time without a poll, in milliseconds, after which a device must join again. */
const awayMs = 45_000;
/** Reconnect delays in milliseconds. */
const backoff = { first: 500, longest: 60_000 };
/**
 * Minimum duration of a session, in milliseconds, that resets the reconnect delay: two computers with the same home folder would otherwise keep ending each
 * other's sessions.
 */
const steadyMs = 60_000;
/** Time, in milliseconds, for delivering the reason to a revoked device. */
const revokeMs = 2_000;
/** Maximum wait, in milliseconds, for a paired device to acknowledge its token. */
const pairedMs = 5_000;

interface OpenLink {
  readonly ending: AbortController;
  session?: RelaySession;
  /** Resolves when the relay has opened the link or the link is closed. */
  readonly first: Promise<void>;
}

/** Creates the manager of the relay links. The caller must close it. */
export function createRelayLinks({ store, pairing, ask, listenerAddress, version, warn }: RelayLinksParts): RelayLinks {
  const open = new Map<string, OpenLink>();
  const sessions = createUnderWay();
  const closing = new AbortController();
  const shared = { role, ask, awayMs, warn: () => undefined };
  let offering: AbortController | undefined;

  /** Opens one session per device: a second session under the same code would end the first. */
  function begin(link: StoredLink): Promise<void> {
    const known = open.get(link.deviceId);
    if (known) return known.first;
    let opened = (): void => undefined;
    const one: OpenLink = { ending: new AbortController(), first: new Promise<void>((resolve) => (opened = resolve)) };
    open.set(link.deviceId, one);
    void sessions.add(keepOpen(link, one, opened).finally(opened));
    return one.first;
  }

  /** Reopens the session of a link until the link ends. */
  async function keepOpen({ deviceId, code, secret }: StoredLink, one: OpenLink, opened: () => void): Promise<void> {
    const ending = AbortSignal.any([one.ending.signal, closing.signal]);
    const admits = async (token: string): Promise<boolean> => (await pairing.identify(token))?.id === deviceId;
    for (let tries = 0; !ending.aborted;) {
      const own = new AbortController();
      try {
        one.session = await openRelaySession({
          ...{ ...shared, code, secret, ttlMs, maxGuests, signal: AbortSignal.any([ending, own.signal]) },
          admit: (line, greeting) => servePage(line, greeting, { admits, listenerAddress, version }),
          onBurned: () => own.abort(),
        });
        opened();
        const openedAt = performance.now();
        await one.session.over;
        if (performance.now() - openedAt > steadyMs) tries = 0;
      } catch (fault) {
        if (tries === 0 && !ending.aborted) warn(`paired devices outside the network cannot connect at the moment: ${messageOf(fault)}`);
      }
      if (!ending.aborted) await restUntil(backoffMs(tries++, backoff), ending);
    }
  }

  /** Pairs a device that opened a pairing link: gives it its own token and link. */
  async function pair(code: string, name: unknown): Promise<Uint8Array> {
    if (typeof name !== 'string' || name === '') throw new Error('The device has no name.');
    const { device, token } = await pairing.pair(code, textStart(name, 200));
    const link = await store.add(device.id);
    await begin(link);
    return encodeGreeting({ token, code: link.code, secret: secretText(link.secret) });
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
      const lastsMs = Math.max(1_000, Date.parse(expiresAt) - Date.now());
      const timer = setTimeout(() => ending.abort(), lastsMs).unref();
      const { url, over } = await openRelaySession({
        ...{ ...shared, code: drawCode(), secret, ttlMs: lastsMs, signal: AbortSignal.any([ending.signal, closing.signal]) },
        admit(line, greeting) {
          pair(code, greeting['pair']).then(
            (paired) => {
              line.finish(paired);
              setTimeout(() => ending.abort(), pairedMs).unref();
            },
            () => line.finish(encodeGoodbye('used')),
          );
          return { take: () => undefined, close: () => undefined };
        },
        onBurned: () => ending.abort(),
      });
      void sessions.add(over.finally(() => clearTimeout(timer)));
      return `${url}#k=${secretText(secret)}`;
    },
    async check() {
      // Takes the snapshot before reading the device list: a link that is added in between must not count as unpaired.
      const linked = [...open];
      const known = new Set((await pairing.devices()).map(({ id }) => id));
      const gone = linked.filter(([deviceId]) => !known.has(deviceId) && open.has(deviceId));
      if (gone.length === 0) return;
      for (const [deviceId, { ending, session }] of gone) {
        open.delete(deviceId);
        session?.finish(encodeGoodbye('revoked'));
        setTimeout(() => ending.abort(), revokeMs).unref();
      }
      await store.remove(gone.map(([deviceId]) => deviceId));
    },
    async close() {
      closing.abort();
      open.clear();
      await sessions.idle();
    },
  };
}
