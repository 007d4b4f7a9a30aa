// Tests the bus over HTTP on two nodes: cursors, and each message once and in order.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findNatsServer, startNatsServer, type NatsServer } from '../../../helpers/nats.ts';
import { openPlaneStream, type OpenPlaneStream } from '../../../helpers/plane-stream.ts';
import { addMember, startPlane, type AddedMember, type Plane } from '../../../helpers/plane.ts';

let nats: NatsServer | undefined;
let first: Plane;
let second: Plane;
let ann: AddedMember;
let bob: AddedMember;
beforeAll(async () => {
  nats = findNatsServer() === undefined ? undefined : await startNatsServer();
  const environment = nats ? { NATS_URL: nats.url } : {};
  first = await startPlane({ environment });
  second = await startPlane({ environment, databaseUrl: first.databaseUrl });
  ann = await addMember(first, { email: 'ann@example.org', role: 'member', tier: 'team' });
  bob = await addMember(first, { email: 'bob@example.org', role: 'viewer', tier: 'team' });
});
afterAll(async () => {
  await second.close();
  await first.close();
  await nats?.kill();
});

let mutation = 0;
const message = (workspace: string, envelope: unknown, more: object = {}): object => ({
  ...{ workspace, key: 'note', envelope, clientId: 'client', mutationId: ++mutation },
  ...more,
});
const publish = (plane: Plane, body: object, cookie = ann.cookie): ReturnType<Plane['call']> => plane.call('POST', '/api/team/bus/publish', { cookie, body });
async function subscribe(plane: Plane, workspace: string, since?: number, options: object = {}): Promise<OpenPlaneStream> {
  const query = new URLSearchParams({ workspace, ...(since === undefined ? {} : { since: String(since) }) });
  const stream = await openPlaneStream(plane.url, `/api/team/bus/subscribe?${query.toString()}`, { cookie: bob.cookie, ...options });
  onTestFinished(() => stream.close());
  return stream;
}
const envelopes = (stream: OpenPlaneStream): unknown[] => stream.events.map(({ data }) => data.envelope);

test('delivers a message to subscribers of both nodes with cursor, sender and time', async () => {
  const streams = [await subscribe(first, 'w1'), await subscribe(second, 'w1')];
  expect(await publish(first, message('w1', { text: 'hello' }))).toMatchObject({ status: 200, body: { cursor: 1 } });
  expect(await publish(second, message('w1', ['there']))).toMatchObject({ status: 200, body: { cursor: 2 } });
  for (const stream of streams) {
    const { id, data } = await stream.until((one) => one.cursor === 2);
    expect(id).toBe('2');
    expect(data).toMatchObject({ key: 'note', envelope: ['there'], from: { userId: ann.member.person.id, name: 'ann@example.org' } });
    expect(Date.now() - Date.parse(data.at)).toBeLessThan(60_000);
    expect(envelopes(stream)).toEqual([{ text: 'hello' }, ['there']]);
  }
});

test('publishes a mutation once, even if sent to two nodes concurrently', async () => {
  const body = message('w2', 'once');
  const replies = await Promise.all([first, second, first, second].map((plane) => publish(plane, body)));
  expect(replies.map(({ status, body: { cursor } }) => [status, cursor])).toEqual(Array(4).fill([200, 1]));
  for (const other of [{ envelope: 'more' }, { key: 'other' }, { workspace: 'w2-other' }])
    expect(await publish(second, { ...body, ...other })).toMatchObject({ status: 409, body: { error: { code: 'mutation_reused' } } });
  expect((await publish(first, message('w2', 'again'))).body).toEqual({ cursor: 2 });
  const stream = await subscribe(second, 'w2', 0);
  await stream.until((one) => one.cursor === 2);
  expect(envelopes(stream)).toEqual(['once', 'again']);
});

test('resumes after the last received cursor, given as a parameter or a header', async () => {
  for (const n of [1, 2, 3, 4, 5]) await publish(first, message('w3', n));
  const byAddress = await subscribe(second, 'w3', 2);
  await byAddress.until((one) => one.cursor === 5);
  expect(envelopes(byAddress)).toEqual([3, 4, 5]);
  const byHeader = await subscribe(first, 'w3', 0, { lastEventId: '4' });
  await byHeader.until((one) => one.cursor === 5);
  expect(envelopes(byHeader)).toEqual([5]);
  const onlyNew = await subscribe(first, 'w3');
  await publish(second, message('w3', 6));
  await onlyNew.until((one) => one.cursor === 6);
  expect(envelopes(onlyNew)).toEqual([6]);
});

test('orders messages of concurrent publishers on two nodes without gaps and replays 1,120 of them in order', async () => {
  const live = await subscribe(second, 'w4', 0);
  const work = Array.from({ length: 8 }, async (_, n) => {
    for (let m = 0; m < 15; m++) expect((await publish(n % 2 ? first : second, message('w4', `${n} ${m}`))).status).toBe(200);
  });
  await Promise.all(work);
  await live.until((one) => one.cursor === 120);
  const database = first.kernel.resolve('database');
  await database.query(
    `insert into bus_message (org_id, workspace, cursor, at, key, envelope, user_id, name, client_id, mutation_id)
     select $1, 'w4', n, now(), 'k', n::text, 'u', 'n', 'many', n::text from generate_series(121, 1120) n`,
    [ann.member.org.id],
  );
  await database.query(`update bus_workspace set cursor = 1120 where org_id = $1 and workspace = 'w4'`, [ann.member.org.id]);
  const late = await subscribe(first, 'w4', 0);
  await late.until((one) => one.cursor === 1120);
  expect(late.events.map(({ data }) => data.cursor)).toEqual(Array.from({ length: 1120 }, (_, n) => n + 1));
  expect(live.events.slice(0, 120)).toEqual(late.events.slice(0, 120));
});

test('reports a gap first when missed messages have expired', async () => {
  for (const n of [1, 2, 3]) await publish(first, message('w5', n));
  await first.kernel.resolve('database').query(`update bus_message set at = now() - interval '31 days' where workspace = 'w5' and cursor < 3`);
  const stream = await subscribe(second, 'w5', 0);
  await stream.until((one) => one.cursor === 3);
  expect(stream.events[0]).toEqual({ id: '2', data: { gap: { from: 1, to: 2 } } });
  expect(stream.events.length).toBe(2);
  await first.kernel.resolve('database').query(`update bus_message set at = now() - interval '31 days' where workspace = 'w5'`);
  const empty = await subscribe(first, 'w5', 1);
  expect(await empty.until((one) => one.gap)).toMatchObject({ id: '3', data: { gap: { from: 2, to: 3 } } });
});

test('isolates messages and cursors between organisations', async () => {
  const cat = await addMember(first, { email: 'cat@example.org', role: 'owner', tier: 'team', org: 'Other' });
  await publish(first, message('w6', 'ours'));
  const stream = await subscribe(first, 'w6', 0, { cookie: cat.cookie });
  expect((await publish(first, message('w6', 'theirs', { clientId: 'client', mutationId: mutation }), cat.cookie)).body).toEqual({ cursor: 1 });
  await stream.until((one) => one.cursor === 1);
  expect(envelopes(stream)).toEqual(['theirs']);
});

test('lists the workspaces of an organisation with their keys, cursor and number of messages', async () => {
  const dan = await addMember(first, { email: 'dan@example.org', role: 'member', tier: 'team', org: 'Third' });
  for (const [workspace, key] of [
    ['one', 'build'],
    ['two', 'review'],
    ['one', 'deploy'],
    ['one', 'build'],
  ] as const)
    await publish(first, message(workspace, 'said', { key }), dan.cookie);
  const { body } = await second.call('GET', '/api/team/bus/workspaces', { cookie: dan.cookie });
  expect(body.workspaces).toEqual([
    { workspace: 'one', cursor: 3, messages: 3, at: expect.any(String), keys: ['build', 'deploy'] },
    { workspace: 'two', cursor: 1, messages: 1, at: expect.any(String), keys: ['review'] },
  ]);
});

test('rejects invalid input, oversized messages and unauthorised publishers', async () => {
  const long = 'x'.repeat(65_536 - 2);
  expect((await publish(first, message('w7', long))).status).toBe(200);
  expect(await publish(first, message('w7', `${long}x`))).toMatchObject({ status: 413, body: { error: { code: 'too_large', details: { limit: 65_536 } } } });
  expect(await publish(first, { workspace: 'w7', key: 'k', envelope: 1 })).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  expect(await publish(first, message('', 1))).toMatchObject({ status: 400 });
  expect(await publish(first, message('w7', 1), bob.cookie)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  for (const since of ['-1', 'x', '1.5', '99']) {
    expect((await first.call('GET', `/api/team/bus/subscribe?workspace=w7&since=${since}`, { cookie: bob.cookie })).body).toMatchObject({
      error: { code: 'invalid_request' },
    });
  }
  const poor = await addMember(first, { email: 'dan@example.org', role: 'member', tier: 'pro', org: 'Poor' });
  expect(await publish(first, message('w7', 1), poor.cookie)).toMatchObject({ status: 403, body: { error: { code: 'entitlement_required' } } });
});

test('closes the streams of a member on both nodes when their access changes', async () => {
  const eve = await addMember(first, { email: 'eve@example.org', role: 'viewer', tier: 'team' });
  const streams = [await subscribe(first, 'w8', undefined, { cookie: eve.cookie }), await subscribe(second, 'w8', undefined, { cookie: eve.cookie })];
  const other = await subscribe(second, 'w8');
  // Changes the role in the database too: a lost signal is detected there.
  await addMember(first, { email: 'eve@example.org', role: 'member', tier: 'team' });
  first.kernel.resolve('people').changed({ what: 'member', orgId: eve.member.org.id, userId: eve.member.person.id });
  await Promise.all(streams.map(({ ended }) => ended));
  await publish(first, message('w8', 'still here'));
  await other.until((one) => one.envelope === 'still here');
  // After a lost signal, which is possible under load, each node checks its streams every 15 s.
}, 60_000);

test.runIf(findNatsServer())('delivers messages to other nodes while NATS is unavailable', async () => {
  const stream = await subscribe(second, 'w9');
  await nats!.kill();
  await expect.poll(() => second.kernel.resolve('signals').state()).toBe('lost');
  await publish(first, message('w9', 'without'));
  await stream.until((one) => one.envelope === 'without');
  await nats!.start();
  await expect.poll(() => second.kernel.resolve('signals').state()).toBe('connected');
  await publish(first, message('w9', 'with'));
  await stream.until((one) => one.envelope === 'with');
  expect(envelopes(stream)).toEqual(['without', 'with']);
});
