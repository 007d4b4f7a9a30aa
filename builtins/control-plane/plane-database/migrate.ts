// Applies the due database migrations of all plugins in one transaction.
import { messageOf } from '#lib/errors';
import type { Connection, MakeError } from './connection.ts';
import type { Query } from './contract.ts';
import type { OwnedMigration } from './migration-list.ts';

/** Advisory lock that serialises concurrent migrations. The number is arbitrary, and nothing else uses this lock. */
const lock = 7_310_442;

export type Step = Pick<OwnedMigration, 'plugin' | 'number' | 'name'>;

export interface MigrateOptions {
  /** Whether to apply all steps and then roll them back. */
  readonly isDryRun?: boolean;
  /** Whether to find the due steps without applying them. */
  readonly isListOnly?: boolean;
}

/**
 * Applies the due steps, and resolves with them. Rejects with `MIGRATION` if a step fails, and with `NEWER` if the database contains unknown steps; nothing
 * changes in these cases.
 */
export async function migrate(
  connection: Connection,
  steps: readonly OwnedMigration[],
  makeError: MakeError,
  { isDryRun = false, isListOnly = false }: MigrateOptions = {},
): Promise<readonly Step[]> {
  const rolledBack = new Error('rolled back');
  let due: readonly OwnedMigration[] = [];
  try {
    await connection.transaction(
      async (transaction) => {
        await lockMigrations(transaction);
        due = await findDue(transaction, steps, makeError);
        if (!isListOnly) await applySteps(transaction, due, makeError);
        if (isListOnly || isDryRun) throw rolledBack;
      },
      { isLong: true },
    );
  } catch (fault) {
    if (fault !== rolledBack) throw fault;
  }
  return due.map(({ plugin, number, name }) => ({ plugin, number, name }));
}

/** Waits for running migrations, and blocks new ones until the transaction ends. */
export async function lockMigrations(transaction: Query): Promise<void> {
  await transaction.query('select pg_advisory_xact_lock($1)', [lock]);
}

/** Creates the table of applied migrations if it does not exist. */
export async function createMigrationTable(transaction: Query): Promise<void> {
  await transaction.query(
    `create table if not exists plane_migration (
      plugin text not null, number int not null, name text not null, at timestamptz not null default now(), primary key (plugin, number)
    )`,
  );
}

/** Returns the steps that have not been applied, in order; rejects with `NEWER`. */
export async function findDue(transaction: Query, steps: readonly OwnedMigration[], makeError: MakeError): Promise<readonly OwnedMigration[]> {
  await createMigrationTable(transaction);
  const applied = await transaction.query<Step>('select plugin, number, name from plane_migration', []);
  const known = new Set(applied.map(keyOf));
  const here = new Set(steps.map(keyOf));
  // The tables of a missing plugin are kept, but a plugin that is older than its tables would misread them.
  const newer = applied.find((one) => !here.has(keyOf(one)) && steps.some(({ plugin }) => plugin === one.plugin));
  if (newer) throw makeError('NEWER', { ...newer });
  return steps.filter((one) => !known.has(keyOf(one)));
}

export async function applySteps(transaction: Query, due: readonly OwnedMigration[], makeError: MakeError): Promise<void> {
  for (const { plugin, number, name, sql } of due) {
    try {
      await transaction.query(sql);
    } catch (fault) {
      throw makeError('MIGRATION', { plugin, number, name, why: messageOf(fault) }, fault);
    }
    await transaction.query('insert into plane_migration (plugin, number, name) values ($1, $2, $3)', [plugin, number, name]);
  }
}

function keyOf({ plugin, number }: Pick<Step, 'plugin' | 'number'>): string {
  return `${plugin} ${number}`;
}
