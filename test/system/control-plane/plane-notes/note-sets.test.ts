import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../builtins/control-plane/plane-database/contract.ts';
import { createNoteSets, type NoteSets, type SetName } from '../../../../builtins/control-plane/plane-notes/note-sets.ts';
import { noteTables } from '../../../../builtins/control-plane/plane-notes/tables.ts';
import { startPlane, type Plane } from '../../../helpers/plane.ts';
import { createMemorySets } from './memory-sets.ts';

let plane: Plane;
let database: Database;
let now = Date.parse('2026-01-01T00:00:00.000Z');
let orgs = 0;
const clock = (): Date => new Date(now);
const iso = (ms: number): string => new Date(now + ms).toISOString();

beforeAll(async () => {
  plane = await startPlane({ builtins: ['plane-database', 'plane-signals', 'plane-keys', 'plane-serve'] });
  database = plane.kernel.resolve('database');
  await database.query(noteTables);
});
afterAll(() => plane.close());

const kinds: [string, () => NoteSets][] = [
  ['the database', () => createNoteSets({ database, tombstoneDays: () => 90, clock })],
  ['memory', () => createMemorySets({ tombstoneDays: () => 90, clock })],
];
const ada = { userId: 'user_ada', email: 'ada@example.org' };
const set = (): SetName => ({ orgId: `org_${orgs++}`, userId: 'user_ada', workspace: 'global' });
let mutations = 0;
const change = (base: number, entries: Record<string, string | undefined>, more: object = {}) => ({
  ...{ clientId: 'c1', mutationId: ++mutations, base },
  upserts: Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value, updatedAt: iso(0) }])),
  tombstones: Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [{ key, deletedAt: iso(0) }] : [])),
  ...more,
});
const said = async (sets: NoteSets, name: SetName, since?: number, mark?: string) => {
  const { notes, tombstones, ...rest } = await sets.read(name, { ...(since === undefined ? {} : { since }), ...(mark === undefined ? {} : { mark }) });
  return { ...rest, rows: [...notes.map(({ key, value }) => `${key}=${value}`), ...tombstones.map(({ key }) => `-${key}`)].sort() };
};

describe.each(kinds)('note sets in %s', (_, open) => {
  test('returns the changes since a revision, and no rows if nothing changed', async () => {
    const [sets, name] = [open(), set()];
    expect(await said(sets, name)).toEqual({ revision: 0, mark: '', horizon: 0, reset: false, rows: [], at: expect.any(String) });
    expect(await sets.write(name, ada, change(0, { 'fact:a': '1', 'fact:b': '1' }))).toMatchObject({ what: 'done', revision: 1, rows: [] });
    expect(await sets.write(name, ada, change(1, { 'fact:a': undefined, 'fact:c': '2' }))).toMatchObject({ what: 'done', revision: 2, rows: [] });
    expect(await said(sets, name)).toMatchObject({ revision: 2, reset: false, rows: ['-fact:a', 'fact:b=1', 'fact:c=2'] });
    expect(await said(sets, name, 1)).toMatchObject({ revision: 2, rows: ['-fact:a', 'fact:c=2'] });
    expect(await said(sets, name, 2)).toMatchObject({ revision: 2, reset: false, rows: [] });
    expect(await said(sets, { ...name, userId: 'user_bob' })).toMatchObject({ revision: 0, rows: [] });
    expect(await said(sets, { ...name, orgId: 'org_other' })).toMatchObject({ revision: 0, rows: [] });
  });

  test('reports a conflict only for keys changed since the base revision', async () => {
    const [sets, name] = [open(), set()];
    await sets.write(name, ada, change(0, { 'fact:a': '1' }));
    await sets.write(name, ada, change(1, { 'fact:b': '1' }));
    now += 1_000;
    const refused = await sets.write(name, ada, change(1, { 'fact:b': '2', 'fact:c': '2' }));
    expect(refused).toMatchObject({ what: 'conflict', revision: 2, changed: [{ key: 'fact:b', value: '1', revision: 2 }] });
    expect(await said(sets, name)).toMatchObject({ revision: 2, rows: ['fact:a=1', 'fact:b=1'] });
    const merged = await sets.write(name, ada, change(1, { 'fact:a': '2' }));
    expect(merged).toMatchObject({ what: 'done', revision: 3 });
    expect(merged).not.toHaveProperty('mark');
    expect(await sets.write(name, ada, change(3, { 'fact:a': '3' }))).toMatchObject({ revision: 4, mark: expect.any(String) });
  });

  test('answers a repeated mutation again without a second change and rejects an unknown or reused number', async () => {
    const [sets, name] = [open(), set()];
    const first = change(0, { 'fact:a': '1' });
    await sets.write(name, ada, first);
    await sets.write(name, ada, { ...change(1, { 'fact:b': '1' }), mutationId: first.mutationId + 10 });
    mutations += 10;
    expect(await sets.write(name, ada, first)).toMatchObject({ what: 'done', revision: 1 });
    expect(await sets.write({ ...name, workspace: 'git:x' }, ada, first)).toMatchObject({ what: 'out_of_order' });
    expect(await sets.write(name, ada, { ...first, upserts: [] })).toMatchObject({ what: 'out_of_order' });
    expect(await sets.write(name, ada, { ...first, mutationId: first.mutationId + 5 })).toMatchObject({ what: 'out_of_order' });
    expect(await said(sets, name)).toMatchObject({ revision: 2 });
  });

  test('keeps the revision for a write without effect and returns the winning row to the losing writer', async () => {
    const [sets, name] = [open(), set()];
    await sets.write(name, ada, change(0, { 'fact:a': 'new' }));
    expect(await sets.write(name, ada, change(1, { 'fact:a': 'new' }))).toMatchObject({ revision: 1, rows: [] });
    const late = { ...change(1, {}), upserts: [{ key: 'fact:a', value: 'old', updatedAt: iso(-5_000) }] };
    expect(await sets.write(name, ada, late)).toMatchObject({ revision: 1, rows: [{ key: 'fact:a', value: 'new' }] });
    expect(await sets.history(name, 'fact:a')).toMatchObject([{ value: 'old', reason: 'newer', by: ada }]);
  });

  test('clamps a time more than a minute ahead to the server time and returns the clamped row', async () => {
    const [sets, name] = [open(), set()];
    const ahead = { ...change(0, {}), upserts: [{ key: 'fact:a', value: 'x', updatedAt: iso(61_000) }] };
    expect(await sets.write(name, ada, ahead)).toMatchObject({ rows: [{ key: 'fact:a', updatedAt: iso(0) }] });
    const stands = iso(0);
    now += 3_600_000;
    // The repeated mutation returns the clamped row, although its time is no longer ahead.
    expect(await sets.write(name, ada, ahead)).toMatchObject({ rows: [{ key: 'fact:a', updatedAt: stands }] });
  });

  test('moves the horizon past old deletions and returns the whole set to a reader from before it', async () => {
    const [sets, name] = [open(), set()];
    await sets.write(name, ada, change(0, { 'fact:a': '1', 'fact:b': '1' }));
    const { mark } = await said(sets, name);
    await sets.write(name, ada, change(1, { 'fact:a': undefined }));
    const horizonAt = iso(0);
    now += 91 * 86_400_000;
    await sets.sweep();
    expect(await said(sets, name, 1, mark)).toMatchObject({ reset: true, horizon: 2, horizonAt, revision: 2, at: iso(0), rows: ['fact:b=1'] });
    expect(await said(sets, name, 2)).toMatchObject({ reset: false, rows: [] });
    expect(await said(sets, name)).toMatchObject({ reset: false, rows: ['fact:b=1'] });
    expect(await sets.write(name, ada, change(1, { 'fact:z': '1' }))).toMatchObject({ what: 'reset', revision: 2 });
  });

  test('detects a revision of another history by its mark', async () => {
    const [sets, name] = [open(), set()];
    await sets.write(name, ada, change(0, { 'fact:a': '1' }));
    expect(await said(sets, name, 1, 'another')).toMatchObject({ reset: true, rows: ['fact:a=1'] });
    expect(await said(sets, name, 7)).toMatchObject({ reset: true });
    expect(await sets.write(name, ada, { ...change(1, { 'fact:b': '1' }), mark: 'another' })).toMatchObject({ what: 'reset' });
    expect(await said(sets, set(), 3)).toMatchObject({ reset: true, revision: 0 });
  });

  test('keeps replaced versions for 30 days with their value and reason', async () => {
    const [sets, name] = [open(), set()];
    for (const [base, value] of ['1', '2', undefined, '4'].entries()) {
      now += 1_000;
      await sets.write(name, ada, change(base, { 'fact:a': value }));
    }
    const versions = await sets.history(name, 'fact:a');
    expect(versions.map(({ value, reason }) => `${value} ${reason}`)).toEqual([' restored', '2 deleted', '1 newer']);
    now += 31 * 86_400_000;
    await sets.sweep();
    expect(await sets.history(name, 'fact:a')).toEqual([]);
  });

  test('reports an emptied set to a reader of an earlier revision', async () => {
    const [sets, name] = [open(), set()];
    await sets.write(name, ada, change(0, { 'fact:a': '1' }));
    expect(await sets.empty(name)).toBe(1);
    expect(await said(sets, name, 1)).toMatchObject({ reset: true, emptied: true, rows: [] });
    expect(await said(sets, name)).toMatchObject({ reset: false, rows: [] });
    expect(await sets.write(name, ada, change(1, { 'fact:b': '1' }))).toMatchObject({ what: 'reset' });
  });

  test('returns a long answer in pages that end after a whole change', async () => {
    const [sets, name] = [open(), set()];
    for (let base = 0; base < 5; base++) {
      await sets.write(name, ada, change(base, Object.fromEntries(Array.from({ length: 450 }, (__, at) => [`fact:${base}-${at}`, 'x']))));
    }
    const seen: string[] = [];
    let [since, isWhole, parts] = [0, false, 0];
    for (;;) {
      const page = await sets.read(name, { since, isWhole });
      seen.push(...page.notes.map(({ key }) => key));
      [since, isWhole, parts] = [page.revision, true, parts + 1];
      if (!page.more) break;
    }
    expect([seen.length, new Set(seen).size, since, parts]).toEqual([2_250, 2_250, 5, 3]);
  });
});

test('applies concurrent writes of two nodes in one order without loss', async () => {
  const name = set();
  const nodes = [1, 2].map(() => createNoteSets({ database, tombstoneDays: () => 90, clock }));
  const writes = Array.from({ length: 20 }, (_, at) =>
    (nodes[at % 2] as NoteSets).write(name, ada, { ...change(0, { [`fact:${at}`]: 'x' }), clientId: `client-${at}`, mutationId: 1 }),
  );
  const answers = await Promise.all(writes);
  expect(answers.map((answer) => (answer.what === 'done' ? answer.revision : 0)).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  expect((await said(nodes[0] as NoteSets, name)).rows.length).toBe(20);
});
