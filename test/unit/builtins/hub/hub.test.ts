// Tests the sign-in through the hosted site, and the account routes.
import { afterEach, expect, test, vi } from 'vitest';
import type { PluginModule } from 'agent-harness/kernel';
import * as hub from '../../../../builtins/account/hub/index.ts';
import { createSigner, nowSeconds, startLicensing } from '../../plugins/licensing/license-kit.ts';
import { plugin, type Modules, type Rig, type RigOptions } from '../../plugins/settings/fake-platform.ts';

const signer = createSigner();
let rig: Rig;
afterEach(async () => {
  vi.useRealTimers();
  expect(await rig.close()).toEqual([]);
});

async function start(options: Partial<RigOptions> = {}, more: Modules = {}): Promise<void> {
  rig = await startLicensing(signer, { ...options, builtins: { hub: hub as unknown as PluginModule<never>, ...more } });
}
const callback = '/api/hub/auth/callback';
const begin = async (): Promise<string> => (await rig.call('GET', '/api/hub/connect/begin')).body.state;
const finish = (state: string, token = signer.token(), peer = '127.0.0.1'): ReturnType<Rig['call']> =>
  rig.call('POST', callback, { token, state }, { principal: undefined, isLocal: false, peer });
const account = async (): Promise<any> => (await rig.call('GET', '/api/hub/account')).body;

test('returns the community tier before a sign-in', async () => {
  await start();
  expect(await account()).toEqual({ connected: false, account: null, tier: 'community', status: 'community', entitlements: [], licensed: false });
  const { body } = await rig.call('GET', '/api/hub/inference-status');
  expect(body).toEqual({ configured: false, entitled: false, remaining: null, cap: null, used: null, periodEnd: null });
});

test('starts a sign-in with a URL of the hosted site that redirects to this server', async () => {
  await start({ environment: { AGENT_HUB_SITE_URL: 'https://plane.example/base/' }, port: 4321 });
  const { body } = await rig.call('GET', '/api/hub/connect/begin');
  expect(body.state).toMatch(/^[0-9a-f]{32}$/);
  const url = new URL(body.connectUrl);
  expect(url.origin + url.pathname).toBe('https://plane.example/base/connect/harness');
  expect(Object.fromEntries(url.searchParams)).toEqual({ state: body.state, redirect_uri: 'http://127.0.0.1:4321/api/hub/auth/callback' });
});

test('signs in with a token that arrives with its state', async () => {
  await start();
  expect(await finish(await begin(), signer.token({ tier: 'team' }))).toMatchObject({ status: 200, body: { ok: true, tier: 'team' } });
  expect(await account()).toMatchObject({
    connected: true,
    account: { email: 'ada@example.org', tier: 'team', source: 'browser' },
    tier: 'team',
    status: 'active',
    licensed: true,
  });
  expect((await account()).entitlements).toContain('team.rbac');
});

test('the account contains the organisation and seats of the license, and omits invalid values', async () => {
  await start();
  await finish(await begin(), signer.token({ tier: 'team', org: 'Analytical Engines', seats: 12 }));
  expect(await account()).toMatchObject({ org: 'Analytical Engines', seats: 12 });
  for (const wrong of [{ org: 7, seats: '12' }, { org: '', seats: 0 }, { seats: 1.5 }, {}]) {
    await finish(await begin(), signer.token({ tier: 'team', ...wrong }));
    expect(await account()).toMatchObject({ tier: 'team', status: 'active' });
    for (const field of ['org', 'seats']) expect(await account()).not.toHaveProperty(field);
  }
});

test('signs in by redirect and returns a page without script and token', async () => {
  await start();
  const token = signer.token();
  const reply = await rig.call('GET', `${callback}?state=${await begin()}&token=${token}&from=elsewhere`);
  expect(reply.status).toBe(200);
  expect(reply.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
  expect(reply.body).toContain('You are signed in.');
  expect(reply.body).not.toMatch(/<script|eyJ/);
  expect(await account()).toMatchObject({ connected: true });
});

test('signs in by form post and returns a page', async () => {
  await start();
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, principal: undefined, isLocal: false };
  const reply = await rig.call('POST', callback, { token: signer.token(), state: await begin() }, form);
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await account()).toMatchObject({ connected: true });
});

test('accepts a state once, within 5 minutes, and only if it was issued', async () => {
  await start();
  const used = await begin();
  await finish(used);
  const forbidden = { status: 403, body: { error: { code: 'forbidden' } } };
  expect(await finish(used)).toMatchObject(forbidden);
  expect(await finish('0'.repeat(32))).toMatchObject(forbidden);
  expect(await finish('odd')).toMatchObject(forbidden);
  vi.useFakeTimers({ toFake: ['Date'] });
  const late = await begin();
  const inTime = await begin();
  vi.setSystemTime(Date.now() + 299_999);
  expect((await finish(inTime)).status).toBe(200);
  vi.setSystemTime(Date.now() + 1);
  expect(await finish(late)).toMatchObject(forbidden);
});

test('returns 400 for an invalid token and uses up the state', async () => {
  await start();
  const state = await begin();
  const refused = await finish(state, createSigner().token());
  expect(refused).toMatchObject({ status: 400, body: { error: { message: 'License token is not valid' } } });
  expect((await finish(state)).status).toBe(403);
  expect(await account()).toMatchObject({ connected: false });
});

test('evicts the oldest of many pending sign-ins', async () => {
  await start();
  const oldest = await begin();
  for (let count = 0; count < 32; count += 1) await begin();
  expect((await finish(oldest)).status).toBe(403);
  expect((await finish(await begin())).status).toBe(200);
});

test('rejects a callback from another machine and keeps the state valid', async () => {
  await start();
  const state = await begin();
  for (const peer of ['192.168.1.5', '::ffff:10.0.0.1', 'fe80::1', '']) {
    expect(await finish(state, signer.token(), peer)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  }
  expect((await finish(state, signer.token(), '::ffff:127.0.0.1')).status).toBe(200);
});

test('only the callback routes need no token, and they allow only the origin of the hosted site', async () => {
  await start({ environment: { AGENT_HUB_SITE_URL: 'https://plane.example/base' } });
  const open = [...rig.routes.values()].filter((route) => route.auth === 'open');
  expect(open.map((route) => route.key).sort()).toEqual([`GET ${callback}`, `POST ${callback}`]);
  for (const { allowsOrigin } of open) {
    expect(allowsOrigin?.('https://plane.example')).toBe(true);
    for (const origin of ['https://plane.example.evil', 'http://plane.example', 'https://other.example', 'null', ''])
      expect(allowsOrigin?.(origin)).toBe(false);
  }
});

test('returns 503 for a sign-in when the server does not listen', async () => {
  await start({ port: undefined });
  expect(await rig.call('GET', '/api/hub/connect/begin')).toMatchObject({ status: 503, body: { error: { code: 'not_serving' } } });
});

test('signing out returns to the community tier', async () => {
  await start();
  await finish(await begin());
  expect(await rig.call('POST', '/api/hub/logout', {})).toMatchObject({ status: 200, body: { ok: true } });
  expect(await account()).toMatchObject({ connected: false, tier: 'community', licensed: false });
});

test('distinguishes a license in its grace period from an expired one', async () => {
  await start({ environment: { AGENT_LICENSE_KEY: signer.token({ exp: nowSeconds() - 60 }) } });
  expect(await account()).toMatchObject({
    connected: true,
    status: 'grace',
    licensed: true,
    tier: 'pro',
    message: expect.any(String),
    expiresAt: expect.any(String),
  });
  await rig.close();
  await start({ environment: { AGENT_LICENSE_KEY: signer.token({ exp: nowSeconds() - 60 }), AGENT_LICENSE_GRACE_DAYS: '0' } });
  expect(await account()).toMatchObject({ status: 'expired', licensed: false, tier: 'community', entitlements: [] });
});

test('reconnect returns 409 while a turn is running', async () => {
  let busy = true;
  const turns = plugin('fake-turns', { provides: ['turns'] }, (registry) => {
    registry.provide('turns', () => ({ statuses: () => [{ chatId: 'a', busy: false }, { chatId: 'b', busy }] }) as never); // prettier-ignore
  });
  await start({}, turns);
  expect(await rig.call('POST', '/api/hub/reconnect', {})).toMatchObject({ status: 409, body: { error: { code: 'turn_in_progress' } } });
  busy = false;
  expect(await rig.call('POST', '/api/hub/reconnect', {})).toMatchObject({ status: 200, body: { ok: true } });
});

test('notifies other plugins of a reconnect, and returns their inference status only when signed in', async () => {
  const reconnected = vi.fn();
  const wallet = plugin('wallet', {}, (_, emitter) => {
    emitter.tap('hub.reconnect', () => reconnected());
    emitter.tap('hub.inference', (status) => ({ ...status, configured: true, remaining: 7, cap: 10, used: 3, periodEnd: '2030-01-01T00:00:00.000Z' }));
  });
  await start({}, wallet);
  await rig.call('POST', '/api/hub/reconnect', {});
  expect(reconnected).toHaveBeenCalledTimes(1);
  expect((await rig.call('GET', '/api/hub/inference-status')).body).toMatchObject({ configured: false, remaining: null });
  await finish(await begin());
  const { body } = await rig.call('GET', '/api/hub/inference-status');
  expect(body).toEqual({ configured: true, entitled: true, remaining: 7, cap: 10, used: 3, periodEnd: '2030-01-01T00:00:00.000Z' });
});
