// Signing in through the real server, as browser and hosted site do it.
import { expect, test } from 'vitest';
import { startHarness, useEach } from '../../../helpers/in-process.ts';
import { createSigner } from '../../plugins/licensing/license-kit.ts';

const signer = createSigner();
const site = 'https://plane.example';
const harness = useEach(() => startHarness({ builtins: ['hub'], environment: { AGENT_LICENSE_PUBLIC_KEY: signer.pem, AGENT_HUB_SITE_URL: site } }));

const begin = async (): Promise<{ state: string; redirect: string }> => {
  const { body } = await harness.call('GET', '/api/hub/connect/begin');
  return { state: body.state, redirect: new URL(body.connectUrl).searchParams.get('redirect_uri') ?? '' };
};

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
