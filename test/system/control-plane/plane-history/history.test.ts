// Tests stored sessions over HTTP: each chunk once, in order, resumable, and private to their person.
import { expect, test } from 'vitest';
import { sha256 } from '../../../../plugins/lib/hash.ts';
import { addMember, startPlane, type Plane } from '../../../helpers/plane.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const plane = useAll(() => startPlane());
const ada = useAll(() => addMember(plane, { email: 'ada@example.org', role: 'viewer', tier: 'pro' }));
const bob = useAll(() => addMember(plane, { email: 'bob@example.org', role: 'owner', tier: 'pro' }));

const path = '/api/pro/session_history';
const post = (sessionId: string, seq: number, lines: string[], more: object = {}, who = ada): ReturnType<Plane['call']> =>
  plane.call('POST', path, { token: who.token, body: { sessionId, seq, lines, sha256: sha256(lines.join('\n')), ...more } });
const get = (query: string, who = ada): ReturnType<Plane['call']> => plane.call('GET', `${path}?${query}`, { token: who.token });

test('stores each chunk once in order and returns the next sequence number to an upload', async () => {
  expect(await post('chat_1', 0, ['a', 'b'])).toMatchObject({ status: 200, body: { stored: 2, total: 2 } });
  expect((await post('chat_1', 0, ['a', 'b'])).body).toEqual({ stored: 0, total: 2 });
  expect(await post('chat_1', 0, ['a', 'c'])).toMatchObject({ status: 409, body: { error: { code: 'chunk_conflict' } } });
  expect(await post('chat_1', 2, ['d'])).toMatchObject({ status: 409, body: { error: { code: 'chunk_missing', details: { nextSeq: 1 } } } });
  expect(await post('chat_0', 1, ['d'])).toMatchObject({ status: 409, body: { error: { details: { nextSeq: 0 } } } });
  expect((await plane.call('GET', `${path}/sessions`, { token: ada.token })).body.sessions.map(({ sessionId }: any) => sessionId)).toEqual(['chat_1']);
  await post('chat_1', 1, ['c']);
  expect((await get('sessionId=chat_1')).body).toEqual({ lines: ['a', 'b', 'c'], total: 3, nextSeq: 2 });
  expect((await get('sessionId=chat_1&cursor=2')).body.lines).toEqual(['c']);
  const [one, two] = await Promise.all([post('chat_2', 0, ['x']), post('chat_2', 0, ['x'])]);
  expect([one.body.stored + two.body.stored, one.body.total]).toEqual([1, 1]);
});

test('lists sessions by last change in pages, without those of other people', async () => {
  const cat = await addMember(plane, { email: 'cat@example.org', role: 'member', tier: 'pro' });
  for (let at = 0; at < 52; at++) await post(`chat_l${at}`, 0, ['a', 'b'], {}, cat);
  await post('chat_l3', 1, ['c'], {}, cat);
  const list = (cursor = ''): ReturnType<Plane['call']> => plane.call('GET', `${path}/sessions${cursor}`, { token: cat.token });
  const one = (await list()).body;
  expect(one.sessions.slice(0, 2)).toMatchObject([
    { sessionId: 'chat_l3', lines: 3, at: expect.any(String) },
    { sessionId: 'chat_l51', lines: 2 },
  ]);
  const two = (await list(`?cursor=${one.cursor}`)).body;
  expect([one.sessions.length, two.sessions.map(({ sessionId }: any) => sessionId), two.cursor]).toEqual([50, ['chat_l1', 'chat_l0'], undefined]);
  expect((await list('?cursor=x')).status).toBe(400);
});

test('finds own lines by words with an excerpt, newest first and in pages', async () => {
  const lines = Array.from({ length: 45 }, (_, at) => `{"text":"the harbour of Bergen has line ${at} and more words around it"}`);
  await post('chat_3', 0, lines);
  await post('chat_3', 0, ['the harbour of Oslo'], {}, bob);
  const seen: number[] = [];
  for (let cursor = ''; ;) {
    const { body } = await get(`q=harbour%20bergen${cursor}`);
    seen.push(...body.hits.map(({ line }: any) => line));
    expect(body.hits[0]).toMatchObject({ sessionId: 'chat_3', excerpt: expect.stringContaining('harbour') });
    if (body.cursor === undefined) break;
    cursor = `&cursor=${body.cursor}`;
  }
  expect(seen).toEqual(Array.from({ length: 45 }, (_, at) => 44 - at));
  expect((await get('q=harbour', bob)).body.hits.map(({ excerpt }: any) => excerpt)).toEqual(['harbour of Oslo']);
  expect((await get('q=oslo')).body).toEqual({ hits: [] });
  expect((await get('q=%26%7C!')).body).toEqual({ hits: [] });
  const { rows } = { rows: await plane.kernel.resolve('database').query<{ owner: string }>('select distinct owner from history_line') };
  await post(
    'chat_4',
    0,
    rows.map(({ owner }) => `fjord ${owner}`),
    {},
    bob,
  );
  expect((await get('q=fjord')).body).toEqual({ hits: [] });
  expect(await get('sessionId=chat_4')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
});

test.each<[string, object, number, string]>([
  ['a hash of other content', { sha256: sha256('no') }, 400, 'invalid_request'],
  ['a line with a line break', { lines: ['a\nb'], sha256: sha256('a\nb') }, 400, 'invalid_request'],
  ['too many lines', { lines: Array.from({ length: 2_001 }, () => '') }, 413, 'too_large'],
  ['an oversized line', { lines: ['x'.repeat(200_001)] }, 413, 'too_large'],
  ['a session without a name', { sessionId: '../x' }, 400, 'invalid_request'],
])('rejects %s', async (_, more, status, code) => {
  expect(await post('chat_5', 0, ['a'], more)).toMatchObject({ status, body: { error: { code } } });
});

test('returns 400 without a query, 403 without the entitlement and 401 without sign-in', async () => {
  expect((await get('')).status).toBe(400);
  const free = await addMember(plane, { email: 'free@example.org', role: 'owner', tier: 'community', org: 'Free' });
  expect(await get('q=a', free)).toMatchObject({ status: 403, body: { error: { code: 'entitlement_required' } } });
  expect((await plane.call('GET', `${path}?q=a`)).status).toBe(401);
});

test('deletes a session of its person', async () => {
  await post('chat_6', 0, ['a']);
  expect((await plane.call('DELETE', `${path}?sessionId=chat_6`, { token: ada.token })).body).toEqual({ removed: 1 });
  expect((await get('sessionId=chat_6')).status).toBe(404);
  expect((await post('chat_6', 0, ['b'])).body).toEqual({ stored: 1, total: 1 });
});
