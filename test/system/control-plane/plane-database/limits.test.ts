// Tests statement timeouts, connection loss and concurrent use of the database.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import { hasTool } from '../../../helpers/required-tools.ts';
import { startPlane, type Plane } from '../../../helpers/plane.ts';
import { createTestDatabase, startOwnServer } from '../../../helpers/postgres.ts';

const builtins = ['plane-database', 'plane-keys', 'plane-signals', 'plane-serve'];
const limitMs = 500;
const unavailable = { code: 'PLANE_DATABASE_ERR_UNAVAILABLE', status: 503 };
/** Runs longer than any test, so only the limit ends it. */
const endless = 'select count(*) from generate_series(1, 100000000000)';
/** Retries until the statement ends with a timeout, because a slow machine may report a busy database first. */
const endedAsTooLong = (work: () => Promise<unknown>): Promise<void> =>
  expect.poll(() => work().catch((fault: { readonly code?: string }) => fault.code), { timeout: 20_000 }).toBe('57014');
const kinds = ['embedded', ...(hasTool('PostgreSQL') ? ['postgresql'] : [])];

describe.each(kinds)('%s', (kind) => {
  let plane: Plane;
  let database: Database;
  beforeAll(async () => {
    plane = await startPlane({
      builtins,
      environment: { HUB_STATEMENT_MS: String(limitMs) },
      databaseUrl: kind === 'embedded' ? '' : await createTestDatabase(),
    });
    database = plane.kernel.resolve('database');
    await database.query('create table thing (id int primary key)');
  });
  afterAll(async () => {
    await plane?.close();
  });

  test('cancels a long statement, answers requests meanwhile and keeps committed rows', async () => {
    await database.query('insert into thing values (1)');
    const ended = endedAsTooLong(() => database.query(endless, []));
    // The event loop is not blocked by the database.
    expect((await plane.call('GET', '/healthz')).status).toBe(200);
    await ended;
    await expect.poll(() => database.query('select id from thing').catch(() => undefined)).toEqual([{ id: 1 }]);
  });

  test('rolls back a transaction that exceeds the statement limit', async () => {
    await endedAsTooLong(() =>
      database.transaction(async (transaction) => {
        await transaction.query('insert into thing values (2)');
        await transaction.query(endless);
      }),
    );
    await expect.poll(() => database.query('select id from thing where id = 2').catch(() => undefined)).toEqual([]);
  });
});

test('returns unavailable while another transaction holds the embedded database', async () => {
  const plane = await startPlane({ builtins: ['plane-database'], databaseUrl: '', environment: { HUB_STATEMENT_MS: String(limitMs) } });
  onTestFinished(() => plane.close());
  const database = plane.kernel.resolve('database');
  await database.query('create table thing (id int primary key)');
  const [begun, over] = [gate(), gate()];
  const slow = database.transaction(async (transaction) => {
    await transaction.query('insert into thing values (1)');
    begun.open();
    await over.opened;
  });
  await begun.opened;
  await expect(database.query('insert into thing values (2)')).rejects.toMatchObject(unavailable);
  await expect(database.transaction(() => Promise.resolve())).rejects.toMatchObject(unavailable);
  over.open();
  await slow;
  expect(await database.query('select id from thing')).toEqual([{ id: 1 }]);
});

test('rejects a query outside the caller’s own open transaction', async () => {
  const plane = await startPlane({ builtins: ['plane-database'] });
  onTestFinished(() => plane.close());
  const database = plane.kernel.resolve('database');
  await database.transaction(async (transaction) => {
    await expect(database.query('select 1')).rejects.toThrow(/outside the open transaction/);
    await expect(database.transaction((inner) => inner.query('select 1'))).rejects.toThrow(/outside the open transaction/);
    expect(await transaction.query('select 1 as n')).toEqual([{ n: 1 }]);
  });
  expect(await database.query('select 1 as n')).toEqual([{ n: 1 }]);
});

test('allows one serving process for the embedded database and serves commands of other processes', async () => {
  const home = await mkdtemp(join(tmpdir(), 'plane-home-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const server = await startPlane({ builtins, databaseUrl: '', home });
  await server.kernel.resolve('database').query('create table thing (id int primary key)');
  const joined = async (): Promise<Plane> => {
    const plane = await startPlane({ builtins, databaseUrl: '', home, isNotReady: true });
    onTestFinished(() => plane.close());
    return plane;
  };
  expect(await (await joined()).run('open')).toEqual({ code: 1, said: expect.stringContaining(home) });
  expect((await (await joined()).run('open')).said).toContain('PLANE_DATABASE_ERR_IN_USE');

  const command = await joined();
  const database = command.kernel.resolve('database');
  await database.transaction((transaction) => transaction.query('insert into thing values ($1)', [1]));
  await expect(database.query('insert into thing values (1)')).rejects.toMatchObject({ code: '23505' });
  expect(await server.kernel.resolve('database').query('select id from thing')).toEqual([{ id: 1 }]);

  const received: unknown[] = [];
  server.kernel.resolve('signals').subscribe('people.*', (payload, topic) => received.push([topic, payload]));
  command.kernel.resolve('signals').publish('people.changed', { who: 'x' });
  await expect.poll(() => received).toEqual([['people.changed', { who: 'x' }]]);

  // A command is killed during a transaction.
  let isBegun = false;
  const half = database.transaction(async (transaction) => {
    await transaction.query('insert into thing values (2)');
    isBegun = true;
    await new Promise(() => undefined);
  });
  half.catch(() => undefined);
  await expect.poll(() => isBegun).toBe(true);
  await command.close({ keepFiles: true });
  await expect
    .poll(() =>
      server.kernel
        .resolve('database')
        .query('select id from thing')
        .catch(() => undefined),
    )
    .toEqual([{ id: 1 }]);

  await server.close({ keepFiles: true });
  const next = await startPlane({ builtins, databaseUrl: '', home });
  onTestFinished(() => next.close());
  expect(await next.kernel.resolve('database').query('select * from thing')).toEqual([{ id: 1 }]);
});

describe.skipIf(!hasTool('PostgreSQL'))('PostgreSQL server', () => {
  test('returns unavailable when connections are terminated, rolls back and serves later requests', async () => {
    const plane = await startPlane({ builtins });
    onTestFinished(() => plane.close());
    const database = plane.kernel.resolve('database');
    await database.query('create table thing (id int primary key)');
    const killOthers = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
    const [begun, killed] = [gate(), gate()];
    const cut = database.transaction(async (transaction) => {
      await transaction.query('insert into thing values (1)');
      begun.open();
      await killed.opened;
      await transaction.query('insert into thing values (2)');
    });
    await begun.opened;
    await database.query(killOthers);
    killed.open();
    await expect(cut).rejects.toMatchObject(unavailable);
    const waiting = expect(database.query('select pg_sleep(20)')).rejects.toMatchObject(unavailable);
    await expect
      .poll(() => database.query("select 1 as n from pg_stat_activity where query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()"))
      .toEqual([{ n: 1 }]);
    await database.query(killOthers);
    await waiting;
    expect(await database.query('select id from thing')).toEqual([]);
    expect((await plane.call('GET', '/readyz')).status).toBe(200);
  });

  test('reports a bad URL, an unreachable server, a missing database and a refused login', async () => {
    const url = await createTestDatabase();
    const start = (databaseUrl: string) => startPlane({ builtins: ['plane-database'], databaseUrl });
    await expect(start('mysql://localhost/x')).rejects.toMatchObject({ code: 'PLANE_DATABASE_ERR_BAD_URL' });
    await expect(start(url.replace(/:\d+\//, ':1/'))).rejects.toMatchObject({
      code: 'PLANE_DATABASE_ERR_UNAVAILABLE',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    await expect(start(`${url}_none`)).rejects.toMatchObject({ code: 'PLANE_DATABASE_ERR_REFUSED', message: expect.stringContaining('does not exist') });
    await expect(start(url.replace('postgres@', 'nobody@'))).rejects.toMatchObject({ code: 'PLANE_DATABASE_ERR_REFUSED' });
  });

  test('delivers signals from a command to the node, also after a database restart', async () => {
    const server = await startOwnServer();
    onTestFinished(() => server.dispose());
    const plane = await startPlane({ builtins, databaseUrl: server.url });
    onTestFinished(() => plane.close());
    const received: unknown[] = [];
    plane.kernel.resolve('signals').subscribe('a', (payload) => received.push(payload));
    const tell = async (payload: unknown): Promise<void> => {
      const command = await startPlane({ builtins, databaseUrl: server.url, isNotReady: true });
      command.kernel.resolve('signals').publish('a', payload);
      await command.close();
    };
    const arrives = async (payload: unknown): Promise<void> => {
      await expect.poll(async () => (await tell(payload), received)).toContain(payload);
    };
    await arrives('first');
    await server.stop();
    await server.start();
    await arrives('second');
  });
});

/** Promise that a test resolves with `open`. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
