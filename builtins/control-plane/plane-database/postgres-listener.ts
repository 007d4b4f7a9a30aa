// Receives PostgreSQL notifications from other processes over a separate connection, and reconnects after a failure.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Channels } from './channels.ts';

const retryMs = 1_000;

export interface PostgresListener {
  /** Listens to a channel as soon as a connection exists. */
  listen(channel: string): void;
  close(): Promise<void>;
}

/** @param connect resolves with a connected client */
export function createPostgresListener(connect: () => Promise<Client>, channels: Channels): PostgresListener {
  const channelNames = new Set<string>();
  const over = new AbortController();
  let client: Client | undefined;
  let working: Promise<void> | undefined;

  async function keepConnected(): Promise<void> {
    while (!over.signal.aborted) {
      try {
        await receive();
      } catch {
        // Retries without limit, because queries report the errors of the database.
      }
      client = undefined;
      await pause(retryMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  }

  async function receive(): Promise<void> {
    const opened = await connect();
    const ended = new Promise<void>((resolve) => void opened.once('end', () => resolve()));
    opened.on('error', () => void opened.end().catch(() => undefined));
    opened.on('notification', ({ channel, payload = '' }) => channels.notify(channel, payload));
    for (const channel of channelNames) await opened.query(`listen "${channel}"`);
    client = opened;
    if (over.signal.aborted) await opened.end();
    await ended;
  }

  return {
    listen(channel) {
      if (channelNames.has(channel)) return;
      channelNames.add(channel);
      working ??= keepConnected();
      client?.query(`listen "${channel}"`).catch(() => undefined);
    },
    async close() {
      over.abort();
      await client?.end().catch(() => undefined);
      await working;
    },
  };
}
