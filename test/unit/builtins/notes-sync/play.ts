// Plays many sync histories against an in-memory control plane or the database.
import { createMemorySets } from '../../../system/control-plane/plane-notes/memory-sets.ts';
import { createNoteSets } from '../../../../builtins/control-plane/plane-notes/note-sets.ts';
import { noteTables } from '../../../../builtins/control-plane/plane-notes/tables.ts';
import { openPostgres } from '../../../../builtins/control-plane/plane-database/postgres-connection.ts';
import { createTestDatabase } from '../../../helpers/postgres.ts';
import { playHistory, type HistoryResult, type OpenPlane } from './history.ts';

export interface Played {
  readonly found: string[];
  readonly total: HistoryResult['counts'];
}

async function playAll(first: number, count: number, open: OpenPlane): Promise<Played> {
  const total = { syncs: 0, crashes: 0, lostReplies: 0, duplicates: 0, resets: 0, deletes: 0, restores: 0 };
  const found: string[] = [];
  for (let seed = first; seed < first + count; seed++) {
    const { faults, counts } = await playHistory(seed, `org_${seed}`, open);
    found.push(...faults);
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += counts[key];
  }
  return { found, total };
}

export function playInMemory(first: number, count: number): Promise<Played> {
  return playAll(first, count, (clock) => {
    const sets = createMemorySets({ tombstoneDays: () => 90, clock });
    return { nodes: [sets], backup: async () => Promise.resolve(sets.backup()), restore: async (backup) => Promise.resolve(sets.restore(backup)) };
  });
}

const tables = ['note_set', 'note', 'note_revision', 'note_version', 'note_client', 'note_mutation'];

/** Uses two nodes with separate connections. */
export async function playOnDatabase(first: number, count: number): Promise<Played> {
  const url = await createTestDatabase();
  const refuse = (reason: string): never => {
    throw new Error(reason);
  };
  const connections = await Promise.all([1, 2].map(() => openPostgres(url, 30_000, refuse as never)));
  const [connection] = connections;
  if (!connection) throw new Error('there is no connection');
  await connection.query(noteTables);
  try {
    return await playAll(first, count, async (clock) => {
      await connection.query(`truncate ${tables.join(', ')}`);
      return {
        nodes: connections.map((database) => createNoteSets({ database, tombstoneDays: () => 90, clock })),
        async backup() {
          const rows: [string, string][] = [];
          for (const table of tables) {
            const [{ text } = { text: '[]' }] = await connection.query<{ text: string }>(
              `select coalesce(jsonb_agg(t), '[]')::text as text from ${table} t`,
              [],
            );
            rows.push([table, text]);
          }
          return rows;
        },
        async restore(backup) {
          await connection.transaction(async (query) => {
            await query.query(`truncate ${tables.join(', ')}`);
            for (const [table, text] of backup as [string, string][]) {
              await query.query(`insert into ${table} overriding system value select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [text]);
            }
          });
        },
      };
    });
  } finally {
    for (const one of connections) await one.close();
  }
}
