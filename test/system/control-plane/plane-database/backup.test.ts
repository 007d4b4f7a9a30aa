// Tests backups that restore from either database kind to the other.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PluginModule } from 'agent-harness/kernel';
import type { Migration } from 'agent-harness/builtins/control-plane/plane-database';
import { hasTool } from '../../../helpers/required-tools.ts';
import { startPlane, type Plane, type PlaneOptions } from '../../../helpers/plane.ts';
import { createTestDatabase } from '../../../helpers/postgres.ts';

const steps: readonly Migration[] = [
  {
    number: 1,
    name: 'everything',
    sql: `create type mood as enum ('good', 'bad');
      create table node (id bigint generated always as identity primary key, up bigint references node (id), twin int, feeling mood, words text not null,
        search tsvector generated always as (to_tsvector('simple', words)) stored);
      create table twin (id serial primary key, node bigint not null references node (id), data jsonb, bytes bytea, names text[], at timestamptz, exact numeric);
      alter table node add constraint node_twin foreign key (twin) references twin (id);
      create table "Log" (id int primary key, what text);
      create function refuse() returns trigger language plpgsql as $body$ begin raise exception 'only once'; end $body$;
      create trigger once before insert or update or delete on "Log" for each row when (pg_trigger_depth() = 0 and current_setting('my.open', true) is distinct from 'yes') execute function refuse();
      insert into node (words) values ('made by the step')`,
  },
  { number: 2, name: 'thing-count', sql: `alter table node add count bigint not null default 0; update node set count = length(words)` },
];
const owning = (given: readonly Migration[]): { readonly own: PluginModule<never> } => ({
  own: {
    register(registry) {
      for (const step of given) registry.add('migration', step);
    },
  },
});

async function start(kind: string, options: PlaneOptions = {}): Promise<Plane> {
  const plane = await startPlane({
    builtins: ['plane-database'],
    ...options,
    databaseUrl: options.databaseUrl ?? (kind === 'embedded' ? '' : await createTestDatabase()),
  });
  onTestFinished(() => plane.close());
  return plane;
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plane-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function fill({ kernel }: Plane): Promise<void> {
  const database = kernel.resolve('database');
  await database.query(`delete from node; insert into node (words, feeling) values ('first of all', 'good'), ('a "quoted" \\ ☃ line', 'bad'), ('third', null)`);
  await database.query('update node set up = 4 where id = 2; update node set up = 2 where id = 3');
  await database.query('insert into twin (node, data, bytes, names, at, exact) values ($1, $2, $3, $4, $5, $6), (3, null, null, null, null, null)', [
    2,
    '{"big": 12345678901234567890.123, "deep": [{"a": "\\u2028\\n"}]}',
    Buffer.from([0, 255, 10, 35]),
    ['a,b', '"', ''],
    '2026-03-29T01:30:00.123456Z',
    '12345678901234567890.123',
  ]);
  await database.query(
    `update node set twin = 1 where id = 2; set my.open = 'yes'; insert into "Log" select n, 'line ' || n from generate_series(1, 450) n; reset my.open`,
  );
}

async function contentOf({ kernel }: Plane): Promise<unknown> {
  const database = kernel.resolve('database');
  const of = (table: string): Promise<unknown[]> => database.query(`select to_jsonb(one)::text as row from ${table} one order by id`);
  return [await of('node'), await of('twin'), await of('"Log"')];
}

const kinds = ['embedded', ...(hasTool('PostgreSQL') ? ['postgresql'] : [])];

describe.each(kinds)('from %s', (from) => {
  test('restores all rows into the other database from an owner-only file and continues its sequences', async () => {
    const folder = await makeFolder();
    const source = await start(from, { modules: owning(steps) });
    await fill(source);
    const path = join(folder, 'backup');
    expect(await source.run('backup', path)).toEqual({ code: 0, said: expect.stringContaining('455 rows of 3 tables') });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const to = kinds.find((kind) => kind !== from) ?? from;
    const target = await start(to, { modules: owning(steps), isNotReady: true });
    expect(await target.run('restore', path)).toEqual({ code: 0, said: expect.stringContaining('455 rows') });
    expect(await contentOf(target)).toEqual(await contentOf(source));
    const database = target.kernel.resolve('database');
    expect(await database.query("insert into node (words) values ('next') returning id, search::text")).toEqual([{ id: 5, search: "'next':1" }]);
    expect(await database.query('insert into twin (node) values (2) returning id')).toEqual([{ id: 3 }]);
    await expect(database.query('insert into twin (node) values (99)')).rejects.toMatchObject({ code: '23503' });
    await expect(database.query(`update "Log" set what = 'else'`)).rejects.toThrow('only once');
  });
});

test('migrates a backup of an older version and rejects one of a newer version', async () => {
  const folder = await makeFolder();
  const source = await start('postgresql', { modules: owning(steps.slice(0, 1)) });
  await fill(source);
  await source.run('backup', join(folder, 'backup'));
  const target = await start('postgresql', { modules: owning(steps), isNotReady: true });
  expect((await target.run('restore', join(folder, 'backup'))).said).toContain('and 1 later steps applied');
  expect(await target.kernel.resolve('database').query('select count from node where id = 4')).toEqual([{ count: 5 }]);

  await target.run('backup', join(folder, 'newer'));
  const older = await start('postgresql', { modules: owning(steps.slice(0, 1)), isNotReady: true });
  expect(await older.run('restore', join(folder, 'newer'))).toMatchObject({ code: 1, said: expect.stringContaining('PLANE_DATABASE_ERR_NEWER') });
});

test('rejects a restore over existing data without --replace, or while a server is running', async () => {
  const folder = await makeFolder();
  const path = join(folder, 'backup');
  const source = await start('postgresql', { modules: owning(steps) });
  await fill(source);
  await source.run('backup', path);
  const command = await start('postgresql', { modules: owning(steps), isNotReady: true, databaseUrl: source.databaseUrl });
  expect((await command.run('restore', path, '--replace')).said).toContain('PLANE_DATABASE_ERR_SERVED');
  await source.close();
  expect((await command.run('restore', path)).said).toContain('PLANE_DATABASE_ERR_NOT_EMPTY');
  expect((await command.run('restore')).said).toContain('PLANE_DATABASE_ERR_NO_FILE');
  expect(await command.run('restore', path, '--replace')).toMatchObject({ code: 0 });
  expect(await command.kernel.resolve('database').query('select count(*) from node')).toEqual([{ count: 3 }]);
});

test('rejects a truncated, modified or foreign file without changes', async () => {
  const folder = await makeFolder();
  const path = join(folder, 'backup');
  const source = await start('postgresql', { modules: owning(steps) });
  await fill(source);
  await source.run('backup', path);
  const whole = gunzipSync(await readFile(path)).toString();
  const broken: Record<string, string | Buffer> = {
    'a changed row': gzipSync(whole.replace('line 7"', 'line 8"')),
    'a missing row': gzipSync(whole.replace(/^\{.*line 9".*\n/m, '')),
    'no end': gzipSync(whole.slice(0, whole.lastIndexOf('#'))),
    'trailing data': gzipSync(`${whole}{}\n`),
    'a truncated file': (await readFile(path)).subarray(0, 1000),
    'no backup': gzipSync('hello\n'),
    'no gzip': 'hello',
    nothing: '',
  };
  const target = await start('postgresql', { modules: owning(steps), isNotReady: true });
  for (const [name, content] of Object.entries(broken)) {
    await writeFile(join(folder, 'broken'), content);
    expect([name, await target.run('restore', join(folder, 'broken'))]).toEqual([
      name,
      { code: 1, said: expect.stringContaining('PLANE_DATABASE_ERR_BACKUP') },
    ]);
  }
  expect((await target.run('restore', join(folder, 'none'))).said).toContain('ENOENT');
  expect(await target.run('restore', path)).toMatchObject({ code: 0 });
});

test('restores the signing key, readable only with the same secret', async () => {
  const folder = await makeFolder();
  const path = join(folder, 'backup');
  const source = await startPlane();
  onTestFinished(() => source.close());
  const signed = await source.kernel.resolve('planeKeys').sign('policy', { revision: 1 });
  expect(await source.run('backup', path)).toMatchObject({ code: 0 });
  const target = await startPlane({ isNotReady: true });
  onTestFinished(() => target.close());
  expect(await target.run('restore', path)).toMatchObject({ code: 0 });
  expect(await target.kernel.resolve('planeKeys').verify('policy', signed)).toEqual({ revision: 1 });
  const foreign = await startPlane({ databaseUrl: target.databaseUrl, environment: { HUB_SECRET: 'another secret with more than 32 characters' } });
  onTestFinished(() => foreign.close());
  await expect(foreign.kernel.resolve('planeKeys').publicKey()).rejects.toMatchObject({ code: 'PLANE_KEYS_ERR_SECRET_MISSING' });
});

test('keeps the latest and the previous backup of the embedded database at shutdown', async () => {
  const home = await makeFolder();
  for (const words of ['first', 'second']) {
    const plane = await startPlane({ builtins: ['plane-database'], databaseUrl: '', home, modules: owning(steps) });
    await plane.kernel.resolve('database').ready({ isServing: true });
    await plane.kernel.resolve('database').query('insert into node (words) values ($1)', [words]);
    await plane.close();
  }
  const wordsOf = async (name: string): Promise<string> => gunzipSync(await readFile(join(home, 'dumps', name))).toString();
  expect(await wordsOf('latest.backup')).toContain('"second"');
  expect(await wordsOf('previous.backup')).not.toContain('"second"');
  expect(await wordsOf('previous.backup')).toContain('"first"');
});
