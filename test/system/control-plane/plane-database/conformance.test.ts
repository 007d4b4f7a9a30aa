// Tests that PostgreSQL and the embedded database behave the same.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import { hasTool } from '../../../helpers/required-tools.ts';
import { startPlane, type Plane } from '../../../helpers/plane.ts';
import { createTestDatabase } from '../../../helpers/postgres.ts';

const valueRefused = { code: 'PLANE_DATABASE_ERR_VALUE', status: 400 };
const kinds = ['embedded', ...(hasTool('PostgreSQL') ? ['postgresql'] : [])];

describe.each(kinds)('%s', (kind) => {
  let plane: Plane;
  let database: Database;
  beforeAll(async () => {
    plane = await startPlane({ builtins: ['plane-database'], databaseUrl: kind === 'embedded' ? '' : await createTestDatabase() });
    database = plane.kernel.resolve('database');
    await database.query(`create table thing (
      id int primary key, amount bigint, at timestamptz, what jsonb, name text, bytes bytea, names text[], amounts bigint[], day date, is_so boolean, share double precision, exact numeric
    ); create table pair (id int primary key references thing (id))`);
  });
  afterAll(async () => {
    await plane?.close();
  });

  test('reports its kind and version', async () => {
    expect(await database.status()).toMatchObject({ kind, migrations: 0, version: expect.stringMatching(/^\d+\.\d+/) });
  });

  test('returns every type as it was written', async () => {
    const at = new Date('2026-03-29T01:30:00.123Z');
    const values = [
      1,
      9_007_199_254_740_991,
      at,
      JSON.stringify({ a: [1, 'ä', null] }),
      'it\'s \\ "so"\n☃',
      Buffer.from([0, 1, 255]),
      ['a,b', '{"x"}', 'NULL', ''],
      [1, -2],
      '2026-11-22',
      true,
      0.1,
      '123456789012345678.90',
    ];
    const names = 'id, amount, at, what, name, bytes, names, amounts, day, is_so, share, exact';
    await database.query(`insert into thing (${names}) values (${values.map((_, at) => `$${at + 1}`).join(', ')})`, values);
    const [row] = await database.query('select * from thing where id = $1', [1]);
    expect(row).toEqual({
      id: 1,
      amount: 9_007_199_254_740_991,
      at,
      what: { a: [1, 'ä', null] },
      name: 'it\'s \\ "so"\n☃',
      bytes: Buffer.from([0, 1, 255]),
      names: ['a,b', '{"x"}', 'NULL', ''],
      amounts: [1, -2],
      day: '2026-11-22',
      is_so: true,
      share: 0.1,
      exact: '123456789012345678.90',
    });
    expect(Buffer.isBuffer(row?.['bytes'])).toBe(true);
    await database.query(`insert into thing (${names}) values (${values.map((_, at) => `$${at + 1}`).join(', ')})`, [2, ...Array<null>(11).fill(null)]);
    expect(Object.values((await database.query('select * from thing where id = 2'))[0] ?? {}).slice(1)).toEqual(Array(11).fill(null));
  });

  test('accepts objects for jsonb, numbers for text, and other time formats', async () => {
    const [row] = await database.query<{ a: unknown; b: string; c: boolean; d: Date; e: string }>(
      'select $1::jsonb as a, $2::text as b, $3::boolean as c, $4::timestamptz as d, $5::text as e',
      [{ deep: { list: [1, 2] } }, 5, 'true', '2026-01-01T00:00:00+02:00', undefined],
    );
    expect(row).toEqual({ a: { deep: { list: [1, 2] } }, b: '5', c: true, d: new Date('2025-12-31T22:00:00Z'), e: null });
  });

  test('rejects an integer that exceeds the exact range of a JavaScript number', async () => {
    await expect(database.query('select 9007199254740993::bigint as n')).rejects.toMatchObject({ code: 'XX001' });
    expect(await database.query('select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('returns the rows of the last statement and applies several statements atomically', async () => {
    expect(await database.query('select 1 as a; select 2 as b')).toEqual([{ b: 2 }]);
    await expect(database.query("insert into thing (id) values (50); select 'x'::int")).rejects.toMatchObject(valueRefused);
    expect(await database.query('select id from thing where id = 50')).toEqual([]);
  });

  test('reports errors with SQLSTATE and constraint', async () => {
    await database.query('insert into thing (id) values (10)');
    await expect(database.query('insert into thing (id) values ($1)', [10])).rejects.toMatchObject({ code: '23505', constraint: 'thing_pkey', table: 'thing' });
    await expect(database.query('insert into pair (id) values ($1)', [99])).rejects.toMatchObject({ code: '23503' });
    await expect(database.query('select nothing', [])).rejects.toMatchObject({ code: '42703' });
  });

  test.each([
    ['select $1::uuid', 'no', '22P02'],
    ['select $1::bigint', 1e30, '22P02'],
    ['select $1::bigint', '99999999999999999999', '22003'],
    ['select $1::timestamptz', 'yesterday-ish', '22007'],
    ['select $1::timestamptz', '0000-01-01T00:00:00Z', '22008'],
    ['select $1::text', 'a\0b', '22021'],
    ['select $1::jsonb', '"\\u0000"', '22P05'],
    ['select $1::jsonb', '"\\ud800"', '22P02'],
  ])('%s with %j is rejected as an invalid value', async (sql, value, state) => {
    await expect(database.query(sql, [value])).rejects.toMatchObject({ ...valueRefused, cause: { code: state } });
    await expect(database.transaction((transaction) => transaction.query(sql, [value]))).rejects.toMatchObject(valueRefused);
    expect(await database.query('select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('commits or rolls back a transaction as a whole', async () => {
    expect(
      await database.transaction(async (transaction) => {
        await transaction.query('insert into thing (id) values (20)');
        return transaction.query('select id from thing where id = $1', [20]);
      }),
    ).toEqual([{ id: 20 }]);
    const fault = new Error('mine');
    await expect(
      database.transaction(async (transaction) => {
        await transaction.query('insert into thing (id) values (21)');
        throw fault;
      }),
    ).rejects.toBe(fault);
    await expect(
      database.transaction(async (transaction) => {
        await transaction.query('insert into thing (id) values (22)');
        await transaction.query('insert into thing (id) values (20)').catch(() => undefined);
        return 'acknowledged';
      }),
    ).rejects.toMatchObject({ code: '25P02' });
    expect(await database.query('select id from thing where id in (20, 21, 22)')).toEqual([{ id: 20 }]);
  });

  test('isolates concurrent transactions and retries one that was aborted by a deadlock', async () => {
    await database.query('insert into thing (id, amount) values (30, 0), (31, 0)');
    const add = (first: number, second: number): Promise<void> =>
      database.transaction(async (transaction) => {
        for (const id of [first, second]) await transaction.query('update thing set amount = amount + 1 where id = $1', [id]);
      });
    await Promise.all(Array.from({ length: 4 }, (_, at) => (at % 2 === 0 ? add(30, 31) : add(31, 30))));
    expect(await database.query('select amount from thing where id in (30, 31)')).toEqual([{ amount: 4 }, { amount: 4 }]);
  });
});
