// Tests relay sessions through a control plane, with a scripted host and the viewer transport of the page.
import { expect, onTestFinished, test, vi } from 'vitest';
import { randomBytes } from 'node:crypto';
import { addMember, startPlane } from '../../../helpers/plane.ts';
import { askAs, newCode, openGuest, startScriptedHost, type HostOptions, type ReadingGuest, type ScriptedHost } from '../../../helpers/relay.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const plane = useAll(() => startPlane({ environment: { HUB_ATTEMPTS_PER_MINUTE: '1000' } }));
const ann = useAll(() => addMember(plane, { email: 'ann@example.org', role: 'member', tier: 'pro' }));

async function host(options: Partial<HostOptions> = {}): Promise<ScriptedHost> {
  const one = await startScriptedHost({ ask: askAs(ann.token, plane.url), ...options });
  onTestFinished(() => one.end());
  return one;
}
function join({ code, secret }: Pick<ScriptedHost, 'code' | 'secret'>, more: Partial<Parameters<typeof openGuest>[0]> = {}): ReadingGuest {
  const guest = openGuest({ origin: plane.url, code, secret, ...more });
  onTestFinished(() => guest.close());
  return guest;
}
const isClosed = ({ states }: ReadingGuest): boolean => states.at(-1)?.state === 'refused';

test('shows the window and the effect of inputs to a viewer, with the same four words on both sides', async () => {
  const one = await host();
  const guest = join(one, { name: '  Ann’s\nphone ' });
  await guest.until(({ frames }) => frames.length > 0);
  expect(guest.frames[0]).toMatchObject({ text: 'first', ackedInput: 0 });
  expect(guest.texts[0]).toMatchObject({ type: 'welcome', role: 'control', name: 'Ann’s phone' });
  expect(one.guests).toMatchObject([{ name: 'Ann’s phone', transport: 'cloud', address: '127.0.0.1', code: one.code, words: guest.words() }]);
  expect(guest.words()).toMatch(/^[a-z]+( [a-z]+){3}$/);
  for (let n = 1; n <= 3; n++) {
    guest.click();
    await guest.until(({ frames }) => frames.at(-1)?.ackedInput === n);
  }
  one.show('second');
  await guest.until(({ frames }) => frames.at(-1)?.text === 'second');
  expect(one.guests[0]?.said.map((text) => JSON.parse(text).n)).toEqual([1, 2, 3]);
  expect(guest.frames.map(({ seq }) => seq)).toEqual([...guest.frames.map(({ seq }) => seq)].sort((a, b) => a - b));
});

test('delivers a burst of inputs completely and in order', async () => {
  const one = await host();
  const guest = join(one);
  await guest.until(({ frames }) => frames.length > 0);
  for (let round = 0; round < 150; round++) guest.click();
  await guest.until(({ frames }) => frames.at(-1)?.ackedInput === 150);
  expect(one.guests[0]?.said.map((text) => JSON.parse(text).n)).toEqual(Array.from({ length: 150 }, (_, at) => at + 1));
});

test('sends each of several viewers its own frames and notifies a dismissed viewer', async () => {
  const one = await host({ role: 'view' });
  const guests = [join(one), join(one), join(one)];
  for (const guest of guests) await guest.until(({ frames }) => frames.length > 0);
  one.guests[1]?.send(JSON.stringify({ v: 1, type: 'ended', reason: 'The host ended it.' }));
  one.guests[1]?.ended.abort();
  await Promise.race(guests.map((guest) => guest.until(isClosed)));
  const ended = guests.filter(isClosed);
  expect(ended).toHaveLength(1);
  expect(ended[0]?.texts.at(-1)).toMatchObject({ type: 'ended' });
  one.show('after');
  for (const guest of guests.filter((other) => !isClosed(other))) await guest.until(({ frames }) => frames.at(-1)?.text === 'after');
});

test('disconnects the viewers of an ended code and rejects it afterwards', async () => {
  const one = await startScriptedHost({ ask: askAs(ann.token, plane.url) });
  const guest = join(one);
  await guest.until(({ frames }) => frames.length > 0);
  await one.end();
  await guest.until(isClosed);
  expect(guest.states.at(-1)?.why).toBe('This session has ended. Ask for a new link.');
  const late = join(one);
  await late.until(isClosed);
  expect(late.states.at(-1)?.why).toContain('Ask for a new one');
});

test('invalidates a code after five wrong proofs, keeps the connected viewer and warns the host', async () => {
  const one = await host();
  const guest = join(one);
  await guest.until(({ frames }) => frames.length > 0);
  for (let round = 0; round < 5; round++) {
    const stranger = join({ code: one.code, secret: new Uint8Array(randomBytes(32)) });
    await stranger.until(isClosed);
  }
  const late = join(one);
  await late.until(isClosed);
  one.show('still here');
  await guest.until(({ frames }) => frames.at(-1)?.text === 'still here');
  one.show('and again');
  await vi.waitFor(() => expect(one.warnings.join()).toContain('five attempts'), 20_000);
  expect(late.frames).toEqual([]);
});

test('requires the member role and the entitlement to host, and restricts a session to its host', async () => {
  const body = { code: newCode(), proofHash: 'a'.repeat(64), role: 'view', ttlMs: 60_000 };
  const viewer = await addMember(plane, { email: 'viewer@example.org', role: 'viewer', tier: 'pro' });
  const free = await addMember(plane, { email: 'free@example.org', role: 'owner', tier: 'community', org: 'Free' });
  const other = await addMember(plane, { email: 'other@example.org', role: 'owner', tier: 'pro' });
  const open = (token: string | undefined, more: object = {}) =>
    plane.call('POST', '/api/remote/sessions', { ...(token === undefined ? {} : { token }), body: { ...body, ...more } });
  expect(await open(undefined)).toMatchObject({ status: 401 });
  expect(await open(viewer.token)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  expect(await open(free.token)).toMatchObject({ status: 403, body: { error: { code: 'entitlement_required', details: { entitlement: 'pro.cloud_sync' } } } });
  const { status, body: made } = await open(ann.token);
  expect([status, made.url]).toEqual([200, `${plane.url}/join/${body.code}`]);
  expect(await open(other.token)).toMatchObject({ status: 409, body: { error: { code: 'code_taken' } } });
  const frames = `/api/remote/frames?session=${made.session}&guest=${'g'.repeat(22)}&number=1`;
  for (const [method, path] of [
    ['GET', `/api/remote/inputs?session=${made.session}`],
    ['DELETE', `/api/remote/sessions/${made.session}`],
  ] as const)
    expect(await plane.call(method, path, { token: other.token })).toMatchObject({ status: 404, body: { error: { code: 'session_unknown' } } });
  expect((await fetch(plane.url + frames, { method: 'POST', headers: { authorization: `Bearer ${other.token}` }, body: Buffer.alloc(10) })).status).toBe(404);

  const one = await host();
  const guest = join(one);
  await guest.until(({ frames: seen }) => seen.length > 0);
  const tokens = (await plane.kernel.resolve('database').query<{ token_hash: string }>('select token_hash from relay_guest')).map((row) => row.token_hash);
  expect(tokens.every((hash) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
  for (const token of [ann.token, other.token])
    expect(await plane.call('GET', '/api/remote/poll?after=0', { token })).toMatchObject({ status: 403, body: { error: { code: 'guests_only' } } });
  await plane.call('DELETE', `/api/remote/sessions/${made.session}`, { token: ann.token });
});

test('rejects a viewer token on every other route', async () => {
  const one = await host();
  let token = '';
  const spy: typeof fetch = async (input, init) => {
    token = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length) ?? token;
    return fetch(input, init);
  };
  const guest = join(one, { fetch: spy });
  await guest.until(({ frames }) => frames.length > 0);
  expect(token).toMatch(/^rg_/);
  for (const path of ['/api/account/me', '/api/orgs', '/api/pro/session_history', '/api/team/org/members', `/api/remote/inputs?session=relay_1`])
    expect((await plane.call('GET', path, { token })).status, path).toBe(403);
});

test('ends the session of a host immediately after its license is revoked', async () => {
  const bob = await addMember(plane, { email: 'bob@example.org', role: 'member', tier: 'pro' });
  const one = await startScriptedHost({ ask: askAs(bob.token, plane.url) });
  const guest = join(one);
  await guest.until(({ frames }) => frames.length > 0);
  await plane.run('revoke', '--email', 'bob@example.org');
  await one.cloud.over;
  expect(one.warnings.join()).toContain('the cloud session ended');
  expect(one.guests[0]?.isGone).toBe(true);
});
