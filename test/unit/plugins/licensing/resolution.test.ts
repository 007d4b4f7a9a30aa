// Tests license resolution: saved or from the environment, active, in grace or expired.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Rig, RigOptions } from '../settings/fake-platform.ts';
import { createSigner, daySeconds, nowSeconds, startLicensing } from './license-kit.ts';
import { useFolder } from '../../../helpers/use-opened.ts';

const signer = createSigner();
let rig: Rig;

const home = useFolder('license-home-');

const start = async (environment: RigOptions['environment'] = {}): Promise<Rig> => (rig = await startLicensing(signer, { home, environment }));
const restart = async (environment: RigOptions['environment'] = {}): Promise<Rig> => (await rig.close(), start(environment));
const save = (token: string): Promise<void> => writeFile(join(home, 'license.json'), JSON.stringify({ token }));
const ready = async (): Promise<object> => rig.kernel.resolve('license').ready();

test('a sign-in is saved with owner-only permissions and survives a restart', async () => {
  await start();
  await rig.kernel.resolve('license').apply(signer.token({ tier: 'team' }), 'browser');
  const account = { email: 'ada@example.org', tier: 'team', source: 'browser', connectedAt: expect.stringMatching(/Z$/) };
  for (const name of ['license.json', 'account.json']) expect((await stat(join(home, name))).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(join(home, 'account.json'), 'utf8'))).toEqual(account);
  await restart();
  expect(await ready()).toMatchObject({ tier: 'team', status: 'active' });
  expect(rig.kernel.resolve('license').account()).toEqual(account);
});

test('signing out deletes both files and removes the entitlements', async () => {
  await start();
  const license = rig.kernel.resolve('license');
  await license.apply(signer.token(), 'browser');
  expect(await license.clear()).toEqual({ tier: 'community', status: 'community', entitlements: [] });
  expect(license.account()).toBeNull();
  await expect(stat(join(home, 'license.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(stat(join(home, 'account.json'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('without a saved license the one from the environment applies, also after signing out', async () => {
  await start({ AGENT_LICENSE_KEY: signer.token({ tier: 'team', sub: 'ci@example.org' }) });
  expect(await ready()).toMatchObject({ tier: 'team', status: 'active' });
  const license = rig.kernel.resolve('license');
  expect(license.account()).toMatchObject({ email: 'ci@example.org', source: 'environment' });
  expect(await license.clear()).toMatchObject({ tier: 'team' });
});

test('a saved license overrides the one from the environment unless the setting prefers that', async () => {
  await save(signer.token({ tier: 'pro' }));
  const key = signer.token({ tier: 'enterprise' });
  await start({ AGENT_LICENSE_KEY: key });
  expect(await ready()).toMatchObject({ tier: 'pro' });
  await restart({ AGENT_LICENSE_KEY: key, AGENT_LICENSE_PREFER_ENV: '1' });
  expect(await ready()).toMatchObject({ tier: 'enterprise' });
  await restart({ AGENT_LICENSE_PREFER_ENV: '1' });
  expect(await ready()).toMatchObject({ tier: 'pro' });
});

test('preferring the environment takes effect at run time', async () => {
  await save(signer.token({ tier: 'pro' }));
  await start({ AGENT_LICENSE_KEY: signer.token({ tier: 'enterprise' }) });
  await ready();
  const changed = new Promise<{ tier: string }>((resolve) => rig.kernel.emitter.on('account_changed', resolve));
  await rig.kernel.control.setPreferences({ AGENT_LICENSE_PREFER_ENV: '1' });
  expect(await changed).toMatchObject({ tier: 'enterprise' });
});

test('an expired license stays valid for the grace period only', async () => {
  await save(signer.token({ exp: nowSeconds() - 13 * daySeconds }));
  await start();
  expect(await ready()).toMatchObject({ tier: 'pro', status: 'grace', message: expect.stringContaining('14 days') });
  await restart({ AGENT_LICENSE_GRACE_DAYS: '12' });
  expect(await ready()).toMatchObject({ tier: 'community', status: 'expired', entitlements: [], expiresAt: expect.any(String) });
  await restart({ AGENT_LICENSE_GRACE_DAYS: '0' });
  expect(await ready()).toMatchObject({ status: 'expired' });
});

test('a saved license with a malformed token is invalid and falls back to community with a message', async () => {
  await save('a.b.c');
  await start();
  const invalid = { tier: 'community', status: 'invalid', entitlements: [], message: 'License token is not valid' };
  expect(await ready()).toEqual({ ...invalid, advice: expect.stringContaining('Copy the whole token') });
  expect(rig.kernel.resolve('license').account()).toBeNull();
});

const keyAdvice = /unknown key.*app login --site ADDRESS.*app control-plane key --env.*AGENT_HUB_SITE_URL and AGENT_LICENSE_PUBLIC_KEY/;
test('a license signed with another key is invalid and includes advice, whether saved or from the environment', async () => {
  const [strange, invalid] = [createSigner().token(), { status: 'invalid', message: 'License token is not valid', advice: expect.stringMatching(keyAdvice) }];
  await save(strange);
  await start();
  expect(await ready()).toMatchObject(invalid);
  await rm(join(home, 'license.json'));
  await restart({ AGENT_LICENSE_KEY: strange });
  expect(await ready()).toMatchObject(invalid);
});

test('a broken account file has no effect', async () => {
  await start();
  await save(signer.token());
  await writeFile(join(home, 'account.json'), '{"tier":"gold"}');
  expect(await rig.kernel.resolve('license').refresh()).toMatchObject({ status: 'active' });
  expect(rig.kernel.resolve('license').account()).toMatchObject({ email: 'ada@example.org', source: 'browser' });
});
