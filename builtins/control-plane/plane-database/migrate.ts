// Brings the tables to where the plugins expect them: all steps that are due, or none.
import { messageOf } from 'agent-harness/lib/errors';
import type { Connection, MakeError } from './connection.ts';
import type { OwnedMigration } from './migration-list.ts';

/** Two nodes that start together take turns. The number is arbitrary; nothing else takes advisory locks of this kind. */
const lock = 7_310_442;

/** Rejects with `MIGRATION` where a step fails, with `NEWER` where the database knows steps that nobody here does; nothing is changed then. */
export async function migrate(connection: Connection, steps: readonly OwnedMigration[], makeError: MakeError): Promise<void> {
  await connection.transaction(async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [lock]);
    await transaction.query(
      `create table if not exists plane_migration (
        plugin text not null, number int not null, name text not null, at timestamptz not null default now(), primary key (plugin, number)
      )`,
    );
    const applied = await transaction.query<{ plugin: string; number: number }>('select plugin, number from plane_migration', []);
    const known = new Set(applied.map(({ plugin, number }) => `${plugin} ${number}`));
    const here = new Set(steps.map(({ plugin, number }) => `${plugin} ${number}`));
    // A plugin that is left out keeps its tables; one that is here and older than its tables would misread them.
    const newer = applied.find(({ plugin, number }) => !here.has(`${plugin} ${number}`) && steps.some((one) => one.plugin === plugin));
    if (newer) throw makeError('NEWER', { ...newer });
    for (const { plugin, number, name, sql } of steps) {
      if (known.has(`${plugin} ${number}`)) continue;
      try {
        await transaction.query(sql);
      } catch (fault) {
        throw makeError('MIGRATION', { plugin, number, name, why: messageOf(fault) }, fault);
      }
      await transaction.query('insert into plane_migration (plugin, number, name) values ($1, $2, $3)', [plugin, number, name]);
    }
  });
}
