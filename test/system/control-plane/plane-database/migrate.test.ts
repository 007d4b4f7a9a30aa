// Tests database migrations: all steps apply, or none.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { PluginModule } from 'agent-harness/kernel';
import type { Migration } from 'agent-harness/builtins/control-plane/plane-database';
import { startPlane, type Plane } from '../../../helpers/plane.ts';

const steps: readonly Migration[] = [
  { number: 1, name: 'thing', sql: 'create table thing (id int primary key); insert into thing values (1)' },
  { number: 2, name: 'thing-name', sql: "alter table thing add name text not null default 'none'" },
  { number: 3, name: 'thing-count', sql: 'alter table thing add count bigint not null default 0' },
];
const pluginWith = (given: readonly Migration[]): { readonly own: PluginModule<never> } => ({
  own: {
    register(registry) {
      for (const step of given) registry.add('migration', step);
    },
  },
});

async function start(given: readonly Migration[], databaseUrl?: string): Promise<Plane> {
  const plane = await startPlane({ builtins: ['plane-database'], modules: pluginWith(given), ...(databaseUrl === undefined ? {} : { databaseUrl }) });
  onTestFinished(() => plane.close());
  return plane;
}

test('migrates a database from any earlier step, keeps its rows and changes nothing on a second start', async () => {
  for (const earlier of [0, 1, 2, 3]) {
    const old = await start(steps.slice(0, earlier));
    if (earlier > 0) await old.kernel.resolve('database').query('insert into thing (id) values (7)');
    const plane = await start(steps, old.databaseUrl);
    const database = plane.kernel.resolve('database');
    expect(await database.query('select * from thing order by id')).toEqual([
      { id: 1, name: 'none', count: 0 },
      ...(earlier > 0 ? [{ id: 7, name: 'none', count: 0 }] : []),
    ]);
    const applied = 'select plugin, number, name, at from plane_migration order by number';
    const before = await database.query(applied);
    expect(before).toMatchObject(steps.map(({ number, name }) => ({ plugin: 'own', number, name })));
    const again = await start(steps, old.databaseUrl);
    expect(await again.kernel.resolve('database').query(applied)).toEqual(before);
  }
});

test('applies each step once when several nodes start together', async () => {
  const { databaseUrl } = await start([]);
  await Promise.all(Array.from({ length: 4 }, () => start(steps, databaseUrl)));
  const plane = await start(steps, databaseUrl);
  expect(await plane.kernel.resolve('database').query('select id from thing')).toEqual([{ id: 1 }]);
});

test('rolls back all steps when one fails and names the failed step', async () => {
  const old = await start(steps.slice(0, 1));
  const broken = [...steps, { number: 4, name: 'broken', sql: 'create table other (id int); select * from nothing' }];
  await expect(start(broken, old.databaseUrl)).rejects.toMatchObject({
    code: 'PLANE_DATABASE_ERR_MIGRATION',
    message: expect.stringMatching(/4 'broken' of 'own'.*nothing was changed.*"nothing" does not exist/),
  });
  expect(await old.kernel.resolve('database').query('select * from thing')).toEqual([{ id: 1 }]);
});

test('refuses a newer database and keeps tables of an absent plugin', async () => {
  const newer = await start(steps);
  await expect(start(steps.slice(0, 2), newer.databaseUrl)).rejects.toMatchObject({
    code: 'PLANE_DATABASE_ERR_NEWER',
    message: expect.stringContaining("3 of 'own'"),
  });
  const without = await start([], newer.databaseUrl);
  expect(await without.kernel.resolve('database').query('select id from thing')).toEqual([{ id: 1 }]);
});

test('rejects steps with gaps in their numbers', async () => {
  const plane = await start([steps[0] as Migration, steps[2] as Migration]);
  expect(plane.kernel.control.report().plugins).toContainEqual(
    expect.objectContaining({ name: 'own', state: 'failed', reason: expect.stringContaining('without gaps') }),
  );
});

test("lists due steps, tests them with a rollback and applies them with 'migrate'", async () => {
  const { databaseUrl } = await start(steps.slice(0, 1));
  const database = (await start([], databaseUrl)).kernel.resolve('database');
  const later = async (given = steps): Promise<Plane> => {
    const plane = await startPlane({ builtins: ['plane-database'], modules: pluginWith(given), databaseUrl, isNotReady: true });
    onTestFinished(() => plane.close());
    return plane;
  };
  const due = 'own 2 thing-name\nown 3 thing-count\n';
  expect(await (await later()).run('migrate', '--list')).toEqual({ code: 0, said: `${due}2 steps are due.\n` });
  expect(await (await later()).run('migrate', '--rehearse')).toEqual({
    code: 0,
    said: `${due}2 steps were applied and rolled back: they work on this database.\n`,
  });
  expect(await database.query('select * from thing')).toEqual([{ id: 1 }]);
  const broken = await (await later([...steps, { number: 4, name: 'broken', sql: 'select * from nothing' }])).run('migrate', '--rehearse');
  expect(broken).toMatchObject({ code: 1, said: expect.stringContaining('PLANE_DATABASE_ERR_MIGRATION') });
  expect(await (await later()).run('migrate')).toEqual({ code: 0, said: `${due}2 steps were applied.\n` });
  expect(await database.query('select * from thing')).toEqual([{ id: 1, name: 'none', count: 0 }]);
  expect(await (await later()).run('migrate')).toEqual({ code: 0, said: 'No steps are due: the database has the tables of this version.\n' });
});

test('reports an unreadable embedded database with its folder', async () => {
  const home = await mkdtemp(join(tmpdir(), 'plane-home-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  await mkdir(join(home, 'database'));
  await writeFile(join(home, 'database/PG_VERSION'), '9.6\n');
  await expect(startPlane({ builtins: ['plane-database'], databaseUrl: '', home })).rejects.toMatchObject({
    code: 'PLANE_DATABASE_ERR_BROKEN',
    message: expect.stringContaining(join(home, 'database')),
  });
});
