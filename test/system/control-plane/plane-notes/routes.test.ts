// Tests shared notes over HTTP: permissions, validation and conflicts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember, startPlane, type AddedMember, type Plane } from '../../../helpers/plane.ts';

let plane: Plane;
const people: Record<string, AddedMember> = {};
beforeAll(async () => {
  plane = await startPlane();
  people['admin'] = await addMember(plane, { email: 'adm@example.org', role: 'owner', tier: 'team' });
  people['member'] = await addMember(plane, { email: 'mem@example.org', role: 'member', tier: 'team' });
  people['viewer'] = await addMember(plane, { email: 'view@example.org', role: 'viewer', tier: 'team' });
});
afterAll(() => plane.close());

const at = (seconds = 0): string => new Date(Date.parse('2026-03-01T10:00:00.000Z') + seconds * 1_000).toISOString();
let mutations = 0;
const note = (key: string, value: string, updatedAt = at()): object => ({ key: `fact:${key}`, value, updatedAt, source: { kind: 'user', ref: 'turn_1' } });
const body = (base: number, upserts: object[], tombstones: object[] = [], more: object = {}): object => ({
  ...{ clientId: 'home-1', mutationId: ++mutations, base, upserts, tombstones },
  ...more,
});
const cloud = '/api/pro/cloud_sync/notes';
const team = '/api/team/memory/notes';
const call = (method: string, path: string, who = 'member', sent?: object, headers = {}): ReturnType<Plane['call']> =>
  plane.call(method, path, { cookie: people[who]?.cookie ?? '', headers, ...(sent === undefined ? {} : { body: sent }) });

test('isolates personal notes from other people of the organisation', async () => {
  const set = `${cloud}?workspace=global`;
  expect(await call('PUT', set, 'member', body(0, [note('a', 'mine')]))).toMatchObject({ status: 200, body: { revision: 1, rows: [] } });
  expect(await call('PUT', set, 'viewer', body(0, [note('a', 'also mine')]))).toMatchObject({ status: 200, body: { revision: 1 } });
  const { body: mine } = await call('GET', set);
  expect(mine).toMatchObject({ revision: 1, reset: false, horizon: 0, tombstones: [] });
  expect(mine.notes).toEqual([{ key: 'fact:a', value: 'mine', updatedAt: at(), source: { kind: 'user', ref: 'turn_1' }, revision: 1 }]);
  expect((await call('GET', set, 'admin')).body).toMatchObject({ revision: 0, notes: [] });
  expect((await call('GET', `${cloud}?workspace=git:x`)).body).toMatchObject({ revision: 0, notes: [] });
});

test('returns 304, or at most 400 bytes, without changes', async () => {
  const path = `${cloud}?workspace=quiet`;
  const { body: wrote } = await call('PUT', path, 'member', body(0, [note('a', 'x'.repeat(2_000))]));
  const reply = await fetch(`${plane.url}${path}&since=1&mark=${wrote.mark}`, { headers: { cookie: people['member']?.cookie ?? '' } });
  expect((await reply.text()).length).toBeLessThanOrEqual(400);
  const etag = reply.headers.get('etag') ?? '';
  expect((await call('GET', `${path}&since=1`, 'member', undefined, { 'if-none-match': etag })).status).toBe(304);
});

test('lets viewers read, members write and admins delete team notes, with the author of each row', async () => {
  const set = `${team}?workspace=git:example.org/a/b`;
  expect(await call('PUT', set, 'viewer', body(0, [note('a', 'x')]))).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  await call('PUT', set, 'member', body(0, [note('a', 'of mem')]));
  await call('PUT', set, 'admin', body(1, [note('b', 'of adm')], [], { clientId: 'home-2' }));
  const { notes } = (await call('GET', set, 'viewer')).body;
  expect(notes.map((one: any) => [one.key, one.by.email])).toEqual([
    ['fact:a', 'mem@example.org'],
    ['fact:b', 'adm@example.org'],
  ]);
  expect((await call('DELETE', set, 'member')).status).toBe(403);
  expect((await call('GET', `${team}/sets`, 'viewer')).body.sets).toEqual([{ workspace: 'git:example.org/a/b', revision: 2, notes: 2 }]);
  const exported = await fetch(`${plane.url}${team}/export`, { headers: { cookie: people['viewer']?.cookie ?? '' } });
  expect(
    (await exported.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).value),
  ).toEqual(['of mem', 'of adm']);
  expect((await call('DELETE', set, 'admin')).body).toEqual({ removed: 2 });
  expect((await call('GET', `${set}&since=2`, 'member')).body).toMatchObject({ reset: true, emptied: true, notes: [] });
});

test('returns the conflicting rows with revision_conflict, and a reset for a base of another history', async () => {
  const set = `${team}?workspace=git:conflict`;
  await call('PUT', set, 'member', body(0, [note('a', '1')]));
  await call('PUT', set, 'admin', body(1, [note('a', '2', at(60))], [{ key: 'fact:gone', deletedAt: at() }]));
  const refused = await call('PUT', set, 'member', body(1, [note('a', '3'), note('c', '3')]));
  expect(refused.status).toBe(409);
  expect(refused.body).toEqual({
    error: { code: 'revision_conflict', message: expect.stringContaining('merge'), requestId: expect.any(String) },
    revision: 2,
    changed: [expect.objectContaining({ key: 'fact:a', value: '2', revision: 2, by: { userId: expect.any(String), email: 'adm@example.org' } })],
  });
  expect(await call('PUT', set, 'member', body(9, [note('a', '3')]))).toMatchObject({
    status: 409,
    body: { error: { code: 'revision_conflict' }, reset: true },
  });
  const { versions } = (await call('GET', `${team}/history?workspace=git:conflict&key=fact:a`, 'viewer')).body;
  expect(versions).toMatchObject([{ value: '1', reason: 'newer', by: { email: 'mem@example.org' } }]);
});

test('answers a repeated mutation again and rejects a reused number as mutation_out_of_order', async () => {
  const set = `${cloud}?workspace=again`;
  const sent = body(0, [note('a', '1')]);
  const first = await call('PUT', set, 'member', sent);
  expect((await call('PUT', set, 'member', sent)).body.revision).toBe(first.body.revision);
  expect(await call('PUT', set, 'member', { ...sent, upserts: [] })).toMatchObject({ status: 409, body: { error: { code: 'mutation_out_of_order' } } });
});

test.each<[string, string, object, number, string]>([
  ['notes of a chat', `${cloud}?workspace=chat_01H`, body(0, []), 400, 'chat_scoped'],
  ['the scope of a chat', `${cloud}?workspace=global`, body(0, [], [], { scope: 'chat' }), 400, 'chat_scoped'],
  ['an unknown field', `${cloud}?workspace=global`, body(0, [], [], { extra: 1 }), 400, 'invalid_request'],
  ['a key without a type', `${cloud}?workspace=global`, body(0, [{ key: 'nokey', value: 'x', updatedAt: at() }]), 400, 'invalid_request'],
  ['an invalid time', `${cloud}?workspace=global`, body(0, [note('a', 'x', '2026-13-45T10:00:00Z')]), 400, 'invalid_request'],
  ['a duplicate key', `${cloud}?workspace=global`, body(0, [note('a', 'x')], [{ key: 'fact:a', deletedAt: at() }]), 400, 'invalid_request'],
  ['a NUL character', `${cloud}?workspace=global`, body(0, [note('a', 'x\u0000')]), 400, 'invalid_request'],
  ['a long value', `${cloud}?workspace=global`, body(0, [note('a', 'x'.repeat(20_001))]), 413, 'too_large'],
  ['a long key', `${cloud}?workspace=global`, body(0, [note('a'.repeat(240), 'x')]), 413, 'too_large'],
  [
    'too many entries',
    `${cloud}?workspace=global`,
    body(
      0,
      Array.from({ length: 501 }, (_, n) => note(`n${n}`, 'x')),
    ),
    413,
    'too_large',
  ],
  [
    'an oversized body',
    `${cloud}?workspace=global`,
    body(
      0,
      Array.from({ length: 80 }, (_, n) => note(`n${n}`, 'x'.repeat(15_000))),
    ),
    413,
    'too_large',
  ],
  ['no base revision', `${cloud}?workspace=global`, { clientId: 'c', mutationId: 1, upserts: [], tombstones: [] }, 400, 'invalid_request'],
])('rejects a write with %s: %s', async (_, path, sent, status, code) => {
  expect(await call('PUT', path, 'admin', sent)).toMatchObject({ status, body: { error: { code } } });
  expect((await call('GET', `${cloud}?workspace=global`, 'admin')).body).toMatchObject({ revision: 0 });
});

test('preserves emoji, quotes, backslashes and line ends', async () => {
  const value = 'a "b" \\u0000 \\ud83d \u{1f600}\n\t\u2028';
  await call('PUT', `${cloud}?workspace=text`, 'member', body(0, [note('a', value)]));
  expect((await call('GET', `${cloud}?workspace=text`)).body.notes[0].value).toBe(value);
});

test('returns 401 without sign-in', async () => {
  expect((await plane.call('GET', `${cloud}?workspace=global`)).status).toBe(401);
});
