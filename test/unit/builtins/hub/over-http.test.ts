// Signing in through the real server, as browser and hosted site do it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { createSigner } from '../../plugins/licensing/license-kit.ts';

const signer = createSigner();
const site = 'https://plane.example';
let harness: Harness;
beforeEach(async () => {
  harness = await startHarness({ builtins: ['hub'], environment: { AGENT_LICENSE_PUBLIC_KEY: signer.pem, AGENT_HUB_SITE_URL: site } });
});
afterEach(async () => void (await harness.close()));

const begin = async (): Promise<{ state: string; redirect: string }> => {
  const { body } = await harness.call('GET', '/api/hub/connect/begin');
  return { state: body.state, redirect: new URL(body.connectUrl).searchParams.get('redirect_uri') ?? '' };
};
const post = (url: string, body: object, origin: string): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', origin }, body: JSON.stringify(body) });

test('the hosted site hands the token over without the web token, another site cannot', async () => {
  const { state, redirect } = await begin();
  expect((await post(redirect, { token: signer.token(), state }, 'https://evil.example')).status).toBe(403);
  const reply = await post(redirect, { token: signer.token(), state }, site);
  expect(await reply.json()).toEqual({ ok: true, tier: 'pro' });
  expect((await harness.call('GET', '/api/hub/account')).body).toMatchObject({ connected: true, tier: 'pro', status: 'active', licensed: true });
  expect((await harness.call('POST', '/api/hub/logout', {})).body).toMatchObject({ ok: true });
  expect((await harness.call('GET', '/api/hub/account')).body).toMatchObject({ connected: false, account: null, tier: 'community' });
});

test('a browser that is sent back sees a page', async () => {
  const { state, redirect } = await begin();
  const reply = await fetch(`${redirect}?state=${state}&token=${signer.token()}`, { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('referrer-policy')).toBe('no-referrer');
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await reply.text()).toContain('You are signed in.');
});

test('a bad token and a bad state are refused', async () => {
  const { state, redirect } = await begin();
  const reply = await post(redirect, { token: 'a.b.c', state }, site);
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({ error: { message: 'License token is not valid' } });
  expect((await post(redirect, { token: signer.token(), state }, site)).status).toBe(403);
});

test('nothing but the callback answers without the web token', async () => {
  for (const path of ['account', 'connect/begin', 'inference-status']) expect((await fetch(`${harness.url}/api/hub/${path}`)).status).toBe(401);
});
