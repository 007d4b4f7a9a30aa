import { expect, onTestFinished, test } from 'vitest';
import { tampered } from '../../helpers/tampered.ts';
import { startPlane } from '../../helpers/plane.ts';
import { rawRequest } from '../../helpers/raw-request.ts';

test('starts on an empty database and shares its signing key with a second node', async () => {
  const first = await startPlane();
  onTestFinished(() => first.close());
  expect(first.kernel.control.report().plugins.filter(({ state }) => state !== 'active')).toEqual([]);
  expect(await first.call('GET', '/healthz')).toMatchObject({ status: 200, body: { ok: true } });
  expect(await first.call('GET', '/readyz')).toMatchObject({ status: 200, body: { ok: true } });
  expect((await rawRequest(first.url, 'GET', '/readyz', { host: 'hub.example.org' })).text).toContain('HUB_PUBLIC_URL');
  const second = await startPlane({ databaseUrl: first.databaseUrl });
  onTestFinished(() => second.close());
  const signed = await first.kernel.resolve('planeKeys').sign('policy', { revision: 1 });
  expect(await second.kernel.resolve('planeKeys').verify('policy', signed)).toEqual({ revision: 1 });
  expect(await second.kernel.resolve('planeKeys').verify('fleet', signed)).toBeUndefined();
});

test('unseals a value only with its purpose', async () => {
  const plane = await startPlane();
  onTestFinished(() => plane.close());
  const keys = plane.kernel.resolve('planeKeys');
  const sealed = await keys.seal('a secret', 'one');
  expect(sealed).not.toContain('secret');
  expect(await keys.unseal(sealed, 'one')).toBe('a secret');
  await expect(keys.unseal(sealed, 'other')).rejects.toMatchObject({ code: 'PLANE_KEYS_ERR_SEALED' });
  await expect(keys.unseal(tampered(sealed), 'one')).rejects.toMatchObject({ code: 'PLANE_KEYS_ERR_SEALED' });
});

test('counts wrong tokens per client address behind a proxy and ignores forged addresses', async () => {
  const environment = { HUB_PUBLIC_URL: 'https://hub.example.org', HUB_ATTEMPTS_PER_MINUTE: '1' };
  const plane = await startPlane({ environment });
  onTestFinished(() => plane.close());
  const guess = (forwarded: string): Promise<number> =>
    plane.call('GET', '/api/account/me', { token: 'wrong', headers: { 'x-forwarded-for': forwarded } }).then(({ status }) => status);
  for (let tries = 0; tries < 30; tries++) expect(await guess('203.0.113.9')).toBe(401);
  expect(await guess('203.0.113.9')).toBe(429);
  // The proxy appends the address of its peer. Everything before that may be forged.
  expect(await guess('198.51.100.7, 203.0.113.9')).toBe(429);
  expect(await guess('203.0.113.9, 198.51.100.7')).toBe(401);
});
