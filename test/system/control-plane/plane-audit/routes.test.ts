// Tests the audit log over HTTP: members report, admins read.
import { expect, test } from 'vitest';
import { addMember, startPlane, type Plane } from '../../../helpers/plane.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const plane = useAll(() => startPlane());
const owner = useAll(() => addMember(plane, { email: 'own@example.org', role: 'owner', tier: 'team' }));
const admin = useAll(() => addMember(plane, { email: 'adm@example.org', role: 'admin', tier: 'team' }));
const member = useAll(() => addMember(plane, { email: 'mem@example.org', role: 'member', tier: 'team' }));

const at = '2026-11-22T10:00:00.000Z';
const event = (id: string, more: object = {}): object => ({ id, kind: 'turn_end', at, chatId: 'chat_1', metrics: { rounds: 1 }, ...more });
const post = (events: unknown, cookie = member.cookie): ReturnType<Plane['call']> => plane.call('POST', '/api/team/audit/events', { cookie, body: { events } });
const get = (path: string, cookie = admin.cookie): ReturnType<Plane['call']> => plane.call('GET', `/api/team/audit/${path}`, { cookie });

test('stores each event once and returns pages by time and kind', async () => {
  expect(await post([event('a'), event('b'), event('a')])).toMatchObject({ status: 200, body: { stored: 2, duplicates: 1 } });
  expect((await post([event('b'), event('c', { kind: 'tool_call' })])).body).toEqual({ stored: 1, duplicates: 1 });
  const first = (await get('events?limit=2')).body;
  expect([first.events.map((one: any) => one.id), first.cursor]).toEqual([['a', 'b'], 2]);
  expect(first.events[0]).toMatchObject({
    seq: 1,
    source: 'service',
    userId: member.member.person.id,
    kind: 'turn_end',
    at,
    chatId: 'chat_1',
    metrics: { rounds: 1 },
  });
  const second = (await get(`events?limit=2&cursor=${first.cursor}`)).body;
  expect([second.events.map((one: any) => one.id), second.cursor]).toEqual([['c'], undefined]);
  const newest = (await get('events?limit=2&order=newest')).body;
  expect([newest.events.map((one: any) => one.id), newest.cursor]).toEqual([['c', 'b'], 2]);
  const older = (await get(`events?limit=2&order=newest&cursor=${newest.cursor}`)).body;
  expect([older.events.map((one: any) => one.id), older.cursor]).toEqual([['a'], undefined]);
  expect((await get('kinds')).body).toEqual({ kinds: ['tool_call', 'turn_end'] });
  expect((await get('events?kind=tool_call')).body.events.length).toBe(1);
  expect((await get('events?since=2999-01-01T00:00:00Z')).body).toEqual({ events: [] });
});

test('exports one line per event and verifies the chain', async () => {
  await post(Array.from({ length: 500 }, (_, n) => event(`many-${n}`)));
  const reply = await fetch(`${plane.url}/api/team/audit/export`, { headers: { cookie: admin.cookie } });
  expect(reply.headers.get('content-type')).toContain('application/x-ndjson');
  const lines = (await reply.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; seq: number });
  expect(lines.filter(({ id }) => id.startsWith('many-')).length).toBe(500);
  const verified = (await get('verify')).body;
  expect(verified).toMatchObject({ ok: true, events: lines.length });
  const { code, said } = await plane.run('audit-verify', member.member.org.id);
  expect([code, said]).toEqual([0, expect.stringContaining(`${lines.length} lines, none changed`)]);
});

test('lets only an owner change the retention and logs the change', async () => {
  expect((await get('retention')).body).toEqual({ days: null });
  const put = (cookie: string): ReturnType<Plane['call']> => plane.call('PUT', '/api/team/audit/retention', { cookie, body: { days: 365 } });
  expect((await put(admin.cookie)).status).toBe(403);
  expect((await put(owner.cookie)).body).toEqual({ days: 365 });
  expect((await get('retention')).body).toEqual({ days: 365 });
  expect((await get('events?kind=audit_retention_changed')).body.events).toMatchObject([{ source: 'plane', metrics: { days: 365 } }]);
});

test('rejects readers below admin and malformed events', async () => {
  expect((await get('events', member.cookie)).status).toBe(403);
  for (const bad of [
    event('x', { at: 'yesterday' }),
    event('x', { at: '2026-99-99T10:00:00Z' }),
    event('x y'),
    event('x', { kind: 'A B' }),
    event('x', { prompt: 'text' }),
    event('x', { metrics: { text: 'x'.repeat(17_000) } }),
  ])
    expect(await post([bad])).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  expect((await post(Array.from({ length: 501 }, (_, n) => event(`o-${n}`)))).status).toBe(400);
  const other = await addMember(plane, { email: 'oth@example.org', role: 'owner', tier: 'team', org: 'Other' });
  expect((await get('events', other.cookie)).body).toEqual({ events: [] });
});
