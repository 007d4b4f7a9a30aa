// Implements the database adapter for PostgreSQL inside this process. Allows one node; survives a crash of the program, but not a power failure.
import { mkdir, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '#lib/errors';
import type { Storage } from 'agent-harness/plugins/storage';
import { createChannels, type Channels } from './channels.ts';
import { withRepeats, type Connection, type MakeError } from './connection.ts';
import type { Query } from './contract.ts';
import { makeEmbedded, openEmbeddedClient, type EmbeddedClient } from './embedded-client.ts';
import type { EmbeddedRows } from './embedded-protocol.ts';
import { joinEmbedded, shareEmbedded } from './embedded-socket.ts';
import { toText } from './parameters.ts';

export interface EmbeddedParts {
  readonly home: string;
  readonly storage: Storage;
  /** Time limit of a statement in milliseconds, including its waiting time. */
  readonly longestMs: number;
  readonly makeError: MakeError;
}

/**
 * Opens the database, or joins the process that has opened it: concurrent processes would destroy the data. Rejects with `IN_USE` if that process cannot share
 * it.
 */
export async function openEmbedded(parts: EmbeddedParts): Promise<Connection> {
  const { home, storage, longestMs, makeError } = parts;
  const folder = join(home, 'database');
  const socket = join(home, 'database.sock');
  const lock = await storage.lock(folder).catch((fault: unknown) => {
    if (codeOf(fault) === 'STORAGE_ERR_LOCKED') return undefined;
    throw fault;
  });
  if (!lock) {
    const joined = await joinEmbedded(socket, makeError);
    if (!joined) throw makeError('IN_USE', { home });
    return connectionOver({ ...joined, longestMs, isJoined: true, close: () => joined.client.close() });
  }
  try {
    if (!existsSync(folder)) await makeFolder(folder, makeError);
    const client = await openEmbeddedClient(folder, makeError);
    const channels = createChannels();
    const shared = await shareEmbedded(socket, client, channels);
    return connectionOver({
      client,
      channels,
      longestMs,
      isJoined: false,
      async close() {
        await shared?.dispose();
        await client.close();
        await lock.dispose();
      },
    });
  } catch (fault) {
    await lock.dispose();
    throw fault;
  }
}

/** Renames the folder only when it is complete, so that an interrupted creation leaves no partial database. */
async function makeFolder(folder: string, makeError: MakeError): Promise<void> {
  const temporary = `${folder}.new`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  await makeEmbedded(temporary, makeError);
  await rename(temporary, folder);
}

interface OpenedParts {
  readonly client: EmbeddedClient;
  readonly channels: Channels;
  readonly longestMs: number;
  readonly isJoined: boolean;
  readonly close: () => Promise<void>;
}

function connectionOver({ client, channels, longestMs, isJoined, close }: OpenedParts): Connection {
  let sessions = 0;
  const over = (session: string | undefined, limitMs: number | undefined): Query => ({
    async query(sql, parameters) {
      const given = parameters === undefined ? {} : { parameters: parameters.map(toText) };
      return rowsOf(await client.ask({ op: 'query', sql, ...given, ...(session === undefined ? {} : { session }) }, limitMs)) as never;
    },
  });
  return {
    kind: 'embedded',
    ...over(undefined, longestMs),
    transaction: (work, { isLong = false } = {}) =>
      withRepeats(async () => {
        const session = String(++sessions);
        const limitMs = isLong ? undefined : longestMs;
        await client.ask({ op: 'begin', session, isLong }, limitMs);
        try {
          const result = await work(over(session, limitMs));
          await client.ask({ op: 'end', session, how: 'commit' }, limitMs);
          return result;
        } catch (fault) {
          await client.ask({ op: 'end', session, how: 'rollback' }, limitMs).catch(() => undefined);
          throw fault;
        }
      }),
    notify: (channel, payload) => Promise.resolve(channels.notify(channel, payload)),
    listen: (channel, listener) => channels.listen(channel, listener),
    isJoined,
    close,
  };
}

function rowsOf({ rows, byteColumns }: EmbeddedRows): readonly unknown[] {
  if (byteColumns.length === 0) return rows;
  const read = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value);
  return rows.map((row) => ({ ...row, ...Object.fromEntries(byteColumns.map((name) => [name, read(row[name])])) }));
}
