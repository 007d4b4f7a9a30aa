// Reads the database of opencode 1.2 and later with Node's SQLite, available since Node 22.13.
import { messageOf } from '#lib/errors';
import { isRecord, jsonOf } from '#lib/values';
import { recordOf, type Fields } from '../texts.ts';
import type { SessionStore } from './session-store.ts';

/** The part of `node:sqlite` that is used; the types of the oldest supported Node lack it. */
interface Sqlite {
  readonly DatabaseSync: new (path: string, options: { readonly readOnly: boolean }) => Database;
}
interface Database {
  prepare(sql: string): { all(...values: string[]): unknown[]; iterate(...values: string[]): Iterable<unknown> };
  close(): void;
}

/** Opens the database. Resolves with a sentence if it is unreadable. The caller must close the store. */
export async function openDatabase(path: string): Promise<SessionStore | string> {
  const { DatabaseSync } = ((process.getBuiltinModule as ((name: string) => unknown) | undefined)?.('node:sqlite') ?? {}) as Partial<Sqlite>;
  if (!DatabaseSync) return tooOld(path);
  let database: Database | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    database.prepare('SELECT id, data FROM message LIMIT 1').all();
    return await Promise.resolve(storeOf(database));
  } catch (fault) {
    database?.close();
    return `The sessions in ${path} cannot be read: ${messageOf(fault)}`;
  }
}

function tooOld(path: string): string {
  return `The sessions in ${path} cannot be read with Node ${process.versions.node}. Use Node 22.13 or later. Sessions of opencode before 1.2 can be read.`;
}

function storeOf(database: Database): SessionStore {
  const messages = database.prepare('SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id');
  const parts = database.prepare('SELECT id, data FROM part WHERE message_id = ? ORDER BY id');
  return {
    sessions: () => Promise.resolve(database.prepare('SELECT * FROM session').all().map(sessionIn)),
    async *messages(sessionId, faults) {
      const dataOf = (row: unknown): Fields | undefined => {
        const value = jsonOf(String(recordOf(row)['data']));
        if (isRecord(value)) return value;
        faults.broken++;
        return undefined;
      };
      for (const row of messages.all(sessionId).map(recordOf)) {
        const data = dataOf(row);
        if (!data) continue;
        const own = parts
          .all(String(row['id']))
          .map(dataOf)
          .filter((part) => part !== undefined);
        yield { message: { time: { created: row['time_created'] }, ...data }, parts: own };
      }
    },
    close: () => database.close(),
  };
}

function sessionIn(row: unknown): Fields {
  const { id, parent_id: parentID, directory, title, time_created: created, time_updated: updated } = recordOf(row);
  return { id, parentID, directory, title, time: { created, updated } };
}
