// Signals between nodes by NATS: what cannot be sent now is lost, and whoever relies on it is told when it works again.
import { setTimeout as pause } from 'node:timers/promises';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { withLimit } from 'agent-harness/lib/async';
import { messageOf } from 'agent-harness/lib/errors';
import { recordIn } from 'agent-harness/lib/values';
import type { Signals } from './contract.ts';
import { createLocalSignals } from './local-signals.ts';

export interface NatsParts {
  /** Comma list of `nats://user:password@host:4222`, or `tls://…`. */
  readonly servers: string;
  /** What keeps the signals of one plane from those of another on the same server. */
  readonly prefix: () => Promise<string>;
  /** What a listener threw, or what was no signal. */
  readonly onFault: (fault: unknown, topic: string) => void;
  /** Told in a sentence when the connection comes and goes. */
  readonly onState: (message: string) => void;
  /** Of a payload over {@link maxBytes}. */
  readonly tooLarge: (bytes: number) => Error;
}

export const maxBytes = 512_000;
/** What no longer answers is given up after two of them. */
const pingIntervalMs = 2_000;
const retryMs = 250;

export interface NatsSignals extends Signals {
  readonly counts: { sent: number; heard: number };
  /** Connects from now on, as whoever serves does. A command does it by itself where it has something to say or is asked for the state. */
  connect(): void;
  /** What was published before goes out first, where it can. */
  dispose(): Promise<void>;
}

/** Of what is published before the first connection, as a short command does; what is more goes to nobody. */
const longestBacklog = 100;
const lastWaitMs = 2_000;

/** Connects to nothing until it has to, then in the background, for as long as it takes. Whoever makes it disposes it. */
export function createNatsSignals(parts: NatsParts): NatsSignals {
  const local = createLocalSignals(parts.onFault);
  const recovered = new Set<() => void>();
  const counts = { sent: 0, heard: 0 };
  let connection: NatsConnection | undefined;
  let prefix = '';
  let isUp = false;
  let backlog: [subject: string, text: string][] | undefined = [];
  let onFirst = (): void => undefined;
  const first = new Promise<void>((resolve) => (onFirst = resolve));
  const over = new AbortController();
  let working: Promise<void> | undefined;

  function connect(): void {
    working ??= stay();
  }

  async function stay(): Promise<void> {
    while (!over.signal.aborted) {
      try {
        prefix ||= await parts.prefix();
        await live();
      } catch (fault) {
        // What the database or the server refuses now it may allow in a moment.
        if (!over.signal.aborted) parts.onState(`NATS is not reached: ${messageOf(fault)}`);
      }
      goDown();
      await pause(retryMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  }

  async function live(): Promise<void> {
    // Of a CommonJS package the build knows no names.
    const {
      default: { connect },
    } = await import('@nats-io/transport-node');
    const opened = await connect({
      ...optionsOf(parts.servers),
      noEcho: true,
      timeout: 5_000,
      maxReconnectAttempts: -1,
      ignoreAuthErrorAbort: true,
      reconnectTimeWait: retryMs,
      reconnectJitter: retryMs / 2,
      pingInterval: pingIntervalMs,
      maxPingOut: 2,
    });
    if (over.signal.aborted) return opened.close();
    connection = opened;
    // All of the plane's, so that whoever listens does so at once, and misses nothing that is sent while a server learns of it.
    opened.subscribe(`${prefix}.>`, { callback: (fault, message) => (fault ? parts.onFault(fault, 'NATS') : hear(message)) });
    for (const [subject, text] of backlog ?? []) opened.publish(`${prefix}.${subject}`, text);
    backlog = undefined;
    onFirst();
    await opened.flush();
    goUp();
    void watch(opened);
    await opened.closed();
  }

  async function watch(opened: NatsConnection): Promise<void> {
    for await (const { type } of opened.status()) {
      if (type === 'disconnect' || type === 'staleConnection') goDown();
      if (type === 'reconnect') void opened.flush().then(goUp, () => undefined);
    }
  }

  function goUp(): void {
    if (isUp) return;
    isUp = true;
    parts.onState('NATS is connected.');
    for (const listener of [...recovered]) {
      try {
        listener();
      } catch (fault) {
        parts.onFault(fault, 'recovered');
      }
    }
  }

  function goDown(): void {
    if (!isUp) return;
    isUp = false;
    if (!over.signal.aborted) parts.onState('NATS is lost.');
  }

  function hear(message: Msg): void {
    counts.heard += 1;
    const { topic, payload } = recordIn(message.string());
    if (typeof topic === 'string') local.publish(topic, payload);
  }

  return {
    counts,
    connect,
    publish(topic, payload) {
      const text = JSON.stringify({ topic, payload });
      if (Buffer.byteLength(text) > maxBytes) throw parts.tooLarge(Buffer.byteLength(text));
      local.publish(topic, payload);
      connect();
      const subject = subjectOf(topic);
      if (backlog && backlog.length < longestBacklog) backlog.push([subject, text]);
      // What the library would keep for later would come when everybody has looked again.
      if (!isUp || !connection) return;
      counts.sent += 1;
      connection.publish(`${prefix}.${subject}`, text);
    },
    subscribe: (topic, listener) => local.subscribe(topic, listener),
    state() {
      connect();
      return isUp ? 'connected' : 'lost';
    },
    onRecovered(listener) {
      recovered.add(listener);
      return { dispose: () => void recovered.delete(listener) };
    },
    async dispose() {
      if (backlog && backlog.length > 0) await withLimit(first, lastWaitMs, () => undefined);
      if (isUp) await connection?.flush().catch(() => undefined);
      over.abort();
      await connection?.close();
      await working;
    },
  };
}

/** The library takes user and password apart from the address. */
function optionsOf(list: string): { servers: string[]; user?: string; pass?: string; token?: string; tls?: object } {
  const urls = list.split(',').map((one) => new URL(one.trim().includes('://') ? one.trim() : `nats://${one.trim()}`));
  const [{ username = '', password = '' } = {}] = urls;
  const known =
    username === ''
      ? {}
      : password === ''
        ? { token: decodeURIComponent(username) }
        : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return { servers: urls.map(({ host }) => host), ...known, ...(urls.some(({ protocol }) => protocol === 'tls:') ? { tls: {} } : {}) };
}

/** Whatever a part is made of, it stays one part and means itself. */
export function subjectOf(topic: string): string {
  return topic
    .split('.')
    .map((part) => (part === '' ? '=' : part.replace(/[^\w-]/gu, (one) => `=${(one.codePointAt(0) ?? 0).toString(16)}=`)))
    .join('.');
}
