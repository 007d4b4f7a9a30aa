// Tests a service with a real control plane: sign-in by form and device code, renewal, revocation, sign-out.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { runTurn } from '../../helpers/event-stream.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { addMember, startPlane, type AddedMember, type Plane } from '../../helpers/plane.ts';
import { startScriptedModel } from '../../helpers/scripted-model.ts';
import { whoAsks } from '../control-plane/plane-licenses/plane-kit.ts';
import { createSigner } from '../../unit/plugins/licensing/license-kit.ts';

let plane: Plane;
let publicKey: string;
let ann: AddedMember;
let harness: Harness;
let home: string;
beforeAll(async () => {
  plane = await startPlane({ modules: { 'who-asks': whoAsks }, environment: { HUB_ATTEMPTS_PER_MINUTE: '1000' } });
  publicKey = await plane.kernel.resolve('planeKeys').publicKey();
  ann = await addMember(plane, { email: 'ann@example.org', role: 'member', tier: 'team' });
});
afterAll(() => plane.close());
afterEach(async () => {
  expect(await harness.close()).toEqual([]);
  await rm(home, { recursive: true, force: true });
});

async function start(environment: Record<string, string | undefined> = {}, builtins = ['hub']): Promise<void> {
  home = await mkdtemp(join(tmpdir(), 'hub-plane-'));
  harness = await startHarness({
    home,
    builtins,
    environment: { AGENT_HUB_SITE_URL: plane.url, AGENT_LICENSE_PUBLIC_KEY: publicKey, ...environment },
  });
}
const account = async (): Promise<any> => (await harness.call('GET', '/api/hub/account')).body;
const asPlane = (work: Promise<unknown>): Promise<any> => work.then(undefined, (fault: unknown) => fault);
const askPlane = (): Promise<any> => asPlane(harness.kernel.resolve('controlPlane').request({ method: 'GET', path: '/test/who' }));

async function signInByForm(): Promise<Response> {
  const { body: begun } = await harness.call('GET', '/api/hub/connect/begin');
  const { searchParams } = new URL(begun.connectUrl);
  const confirmed = await plane.call('POST', '/api/connect/harness', {
    cookie: ann.cookie,
    body: { state: searchParams.get('state'), redirectUri: searchParams.get('redirect_uri') },
  });
  return fetch(confirmed.body.action, {
    method: 'POST',
    headers: { origin: plane.url, 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    body: new URLSearchParams(confirmed.body.fields),
  });
}

test('signs in after confirmation on the page, and revokes the license on sign-out', async () => {
  await start();
  const { body: begun } = await harness.call('GET', '/api/hub/connect/begin');
  expect((await harness.call('GET', `/api/hub/connect/outcome?state=${begun.state}`)).body).toEqual({ state: 'waiting' });
  const page = await signInByForm();
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('You are signed in.')]);
  expect(await account()).toMatchObject({
    connected: true,
    account: { email: 'ann@example.org' },
    tier: 'team',
    status: 'active',
    org: 'Acme',
    licensed: true,
  });
  expect(await askPlane()).toMatchObject({ body: { email: 'ann@example.org', via: 'license' } });
  const token = (await harness.kernel.resolve('license').token()) as string;
  expect((await harness.call('POST', '/api/hub/logout', {})).body).toEqual({ ok: true, revoked: true });
  expect(await plane.call('POST', '/api/license/renew', { token, body: {} })).toMatchObject({ status: 401, body: { error: { code: 'token_revoked' } } });
  expect(await account()).toMatchObject({ connected: false, tier: 'community' });
});

test('stays signed out after a denied or cancelled device code', async () => {
  await start();
  const { body: begun } = await harness.call('POST', '/api/hub/device/begin', {});
  await plane.call('POST', '/api/device/deny', { cookie: ann.cookie, body: { userCode: begun.userCode } });
  await vi.waitFor(
    async () => expect((await harness.call('GET', '/api/hub/device')).body).toMatchObject({ state: 'refused', message: expect.any(String) }),
    20_000,
  );
  await harness.call('POST', '/api/hub/device/begin', {});
  await harness.call('POST', '/api/hub/device/cancel', {});
  expect((await harness.call('GET', '/api/hub/device')).body).toEqual({ state: 'none' });
  expect(await account()).toMatchObject({ connected: false });
});

test('completes the running turn when the license is revoked, and signs the server out', async () => {
  const model = await startScriptedModel(async () => {
    const { sessions } = (await plane.call('GET', '/api/account/sessions', { cookie: ann.cookie })).body;
    const own = sessions.filter(({ via }: { via: string }) => via === 'license');
    for (const { id } of own) await plane.call('DELETE', `/api/account/sessions/${id}`, { cookie: ann.cookie, headers: { origin: plane.url } });
    expect(await askPlane()).toMatchObject({ code: 'HUB_ERR_PLANE_REFUSED', details: { code: 'token_revoked' } });
    return { text: 'All the same.' };
  });
  try {
    await start({ ...model.environment }, ['hub', 'model-chat-completions']);
    await signInByForm();
    const { end, stream } = await runTurn(harness, 'Hello!');
    expect([end['reason'], stream.text()]).toEqual(['done', 'All the same.']);
    expect(await account()).toMatchObject({ connected: false, tier: 'community', status: 'community' });
  } finally {
    await model.close();
  }
});

test('keeps two homes independent: own sign-out, restart, and no exchange of state', async () => {
  await start();
  const [first, firstHome] = [harness, home];
  await start();
  const second = harness;
  try {
    harness = first;
    await signInByForm();
    harness = second;
    await signInByForm();
    const { state } = (await first.call('GET', '/api/hub/connect/begin')).body;
    const crossed = await second.call('POST', '/api/hub/auth/callback', { state, token: ann.token });
    expect(crossed).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    expect((await second.call('POST', '/api/hub/logout', {})).body).toEqual({ ok: true, revoked: true });
    expect(await account()).toMatchObject({ connected: false });
    expect((await first.call('GET', '/api/hub/account')).body).toMatchObject({ connected: true, status: 'active' });
  } finally {
    await first.close();
  }
  const again = await startHarness({
    home: firstHome,
    builtins: ['hub'],
    environment: { AGENT_HUB_SITE_URL: plane.url, AGENT_LICENSE_PUBLIC_KEY: publicKey },
  });
  await again.kernel.resolve('license').ready();
  expect((await again.call('GET', '/api/hub/account')).body).toMatchObject({ connected: true, account: { email: 'ann@example.org' } });
  expect(await again.kernel.resolve('controlPlane').request({ method: 'GET', path: '/test/who' })).toMatchObject({ status: 200 });
  await again.close();
  await rm(firstHome, { recursive: true, force: true });
});

test('renews an expired license at the next contact and applies a changed plan after reconnecting', async () => {
  await start();
  await signInByForm();
  const { jti } = JSON.parse(Buffer.from(((await harness.kernel.resolve('license').token()) as string).split('.')[1] ?? '', 'base64url').toString());
  const keys = plane.kernel.resolve('planeKeys');
  const now = Math.floor(Date.now() / 1_000);
  const late = await keys.sign('license', { sub: 'ann@example.org', tier: 'team', org: 'Acme', iat: now - 2_700_000, exp: now - 3_600, iss: plane.url, jti });
  await harness.kernel.resolve('license').apply(late, 'browser');
  expect(await account()).toMatchObject({ status: 'grace' });
  expect(await askPlane()).toMatchObject({ status: 200 });
  expect(await account()).toMatchObject({ status: 'active' });
  await addMember(plane, { email: 'ann@example.org', role: 'member', tier: 'pro' });
  expect((await harness.call('POST', '/api/hub/reconnect', {})).body).toEqual({ ok: true });
  expect(await account()).toMatchObject({ tier: 'pro', status: 'active' });
  await addMember(plane, { email: 'ann@example.org', role: 'member', tier: 'team' });
});

test('rejects a license with an unknown key by form, device code and callback with the same message', async () => {
  await start({ AGENT_LICENSE_PUBLIC_KEY: undefined });
  const sentence = expect.stringMatching(
    /^License token is not valid\. The license is signed with an unknown key\. .*app login --site.*AGENT_LICENSE_PUBLIC_KEY/,
  );
  const page = await signInByForm();
  expect([page.status, (await page.text()).replaceAll('&#39;', "'").match(/<p>(License .*)<\/p>/)?.[1]]).toEqual([400, sentence]);
  const { body: device } = await harness.call('POST', '/api/hub/device/begin', {});
  await plane.call('POST', '/api/device/approve', { cookie: ann.cookie, body: { userCode: device.userCode } });
  await vi.waitFor(async () => expect((await harness.call('GET', '/api/hub/device')).body).toMatchObject({ state: 'failed', message: sentence }), 20_000);
  const { body: begun } = await harness.call('GET', '/api/hub/connect/begin');
  const { body: refused } = await harness.call('POST', '/api/hub/auth/callback', { state: begun.state, token: ann.token });
  expect(`${refused.error.message}. ${refused.error.details.advice}`).toEqual(sentence);
  expect(await account()).toMatchObject({ connected: false, status: 'community' });
});

test('rejects a license of another control plane and names the settings to check', async () => {
  await start({ AGENT_LICENSE_PUBLIC_KEY: createSigner().pem });
  const { body: begun } = await harness.call('GET', '/api/hub/connect/begin');
  const reply = await harness.call('POST', '/api/hub/auth/callback', { state: begun.state, token: ann.token });
  expect([reply.status, reply.body.error.message]).toEqual([400, 'License token is not valid']);
  const { body } = await harness.call('GET', `/api/hub/connect/outcome?state=${begun.state}`);
  expect(body).toMatchObject({ state: 'failed', message: expect.stringContaining('AGENT_HUB_SITE_URL and AGENT_LICENSE_PUBLIC_KEY') });
  expect((await harness.call('GET', '/api/hub/connect/outcome?state=unknown')).body).toEqual({ state: 'over' });
});

test('reports an unreachable control plane for a device code and still signs out', async () => {
  await start({ AGENT_HUB_SITE_URL: 'http://127.0.0.1:9' });
  expect(await harness.call('POST', '/api/hub/device/begin', {})).toMatchObject({ status: 503, body: { error: { code: 'plane_unreachable' } } });
  await harness.kernel.resolve('license').apply(ann.token, 'browser');
  expect((await harness.call('POST', '/api/hub/logout', {})).body).toMatchObject({
    ok: true,
    revoked: false,
    message: expect.stringContaining('ECONNREFUSED'),
  });
  expect(await account()).toMatchObject({ connected: false });
});
