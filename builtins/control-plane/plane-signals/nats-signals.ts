// Implements signals between the nodes of a control plane through NATS: drops signals while disconnected, and notifies readers after a reconnect.
import { setTimeout as pause } from 'node:timers/promises';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { withLimit } from '#lib/async';
import { messageOf } from '#lib/errors';
import { recordIn } from '#lib/values';
import type { Signals } from './contract.ts';
import { createLocalSignals } from './local-signals.ts';

export interface NatsParts {
  /** Comma-separated list of `nats://user:password@host:4222`, or `tls://…`. */
  readonly servers: string;
  /** Separates the signals of different control planes on the same NATS server. */
  readonly prefix: () => Promise<string>;
  /** Called when a listener throws or a signal is invalid. */
  readonly onFault: (fault: unknown, topic: string) => void;
  /** Called with a message when the connection is established or lost. */
  readonly onState: (message: string) => void;
  /** Creates the error for a payload over {@link maxBytes}. */
  readonly tooLarge: (bytes: number) => Error;
}

/** Maximum size of a signal in bytes. */
export const maxBytes = 512_000;
/** Ping interval in milliseconds; the connection is treated as lost after two unanswered pings. */
const pingIntervalMs = 2_000;
const retryMs = 250;

export interface NatsSignals extends Signals {
  readonly counts: { sent: number; heard: number };
  /** Connects a serving process. A CLI command connects on its first publish or state request. */
  connect(): void;
  /** Sends pending signals first if possible. */
  dispose(): Promise<void>;
}

/** Maximum number of signals that are stored before the first connection; further signals are dropped. */
const longestBacklog = 100;
/** Maximum time for sending pending signals at shutdown, in milliseconds. */
const lastWaitMs = 2_000;

/** Connects on demand in the background, without a time limit. The caller must dispose the result. */
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
    working ??= keepConnected();
  }

  async function keepConnected(): Promise<void> {
    while (!over.signal.aborted) {
      try {
        prefix ||= await parts.prefix();
        await serveConnection();
      } catch (fault) {
        // Retries, because the cause may be temporary.
        if (!over.signal.aborted) parts.onState(`NATS cannot be reached: ${messageOf(fault)}`);
      }
      goDown();
      await pause(retryMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  }

  async function serveConnection(): Promise<void> {
    // The build cannot resolve named imports from a CommonJS package.
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
    // Subscribes to all topics of the control plane, so that later subscriptions take effect immediately and miss no signals.
    opened.subscribe(`${prefix}.>`, { callback: (fault, message) => (fault ? parts.onFault(fault, 'NATS') : receive(message)) });
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
    if (!over.signal.aborted) parts.onState('The connection to NATS is lost.');
  }

  function receive(message: Msg): void {
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
      // Drops signals while disconnected, because buffered signals would arrive after all nodes have checked again.
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

/** Reads the connection options. The library requires the user and password separately from the address. */
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

/** Escapes a segment of a topic, so that it stays one segment. */
export function subjectOf(topic: string): string {
  return topic
    .split('.')
    .map((part) => (part === '' ? '=' : part.replace(/[^\w-]/gu, (one) => `=${(one.codePointAt(0) ?? 0).toString(16)}=`)))
    .join('.');
}
