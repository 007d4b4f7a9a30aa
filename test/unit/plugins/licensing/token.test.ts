// Tests license tokens and the entitlements they grant.
import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tampered } from '../../../helpers/tampered.ts';
import type { Rig } from '../settings/fake-platform.ts';
import { createSigner, daySeconds, hmacToken, nowSeconds, startLicensing, unsignedToken } from './license-kit.ts';

const signer = createSigner();
let rig: Rig;

const pro = ['pro.cloud_sync', 'pro.managed_inference', 'pro.session_history'];
const team = ['team.audit_log', 'team.fleet_config', 'team.policy_governance', 'team.rbac', 'team.shared_memory'];
const enterprise = ['enterprise.self_host', 'enterprise.sso'];

test.each([
  ['community', []],
  ['pro', pro],
  ['team', [...pro, ...team]],
  ['enterprise', [...enterprise, ...pro, ...team]],
])('tier %s grants its own entitlements and those of lower tiers', async (tier, keys) => {
  rig = await startLicensing(signer);
  const state = await rig.kernel.resolve('license').apply(signer.token({ tier }), 'browser');
  const time = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(state).toEqual({ tier, status: 'active', entitlements: keys, issuedAt: time, expiresAt: time });
  const held = [...pro, ...team, ...enterprise].filter((key) => rig.kernel.resolve('entitlements').has(key)).sort();
  expect(held).toEqual(keys);
});

test('a license may grant entitlements beyond its tier', async () => {
  rig = await startLicensing(signer);
  const state = await rig.kernel
    .resolve('license')
    .apply(signer.token({ tier: 'community', ent: ['team.rbac', 'own.thing'], seats: 3, org: 'Org' }), 'browser');
  expect(state.entitlements).toEqual(['own.thing', 'team.rbac']);
});

const stranger = createSigner();
const ed448 = generateKeyPairSync('ed448').privateKey;
const valid = signer.token();
const [header = '', claims = '', signature = ''] = valid.split('.');
const forged = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), tier: 'enterprise' })).toString('base64url');

test.each([
  ['signed by another key', stranger.token()],
  ['issued in the future', signer.token({ iat: nowSeconds() + 3_600 })],
  ['issued after its expiry', signer.token({ iat: nowSeconds(), exp: nowSeconds() - 60 })],
  ['that is not valid yet', signer.token({ nbf: nowSeconds() + 3_600 })],
  ['with an invalid start time', signer.token({ nbf: 'soon' })],
  ['not signed', unsignedToken()],
  ['signed with the public key as a shared secret', hmacToken(signer.pem)],
  ['of another curve', `${header}.${claims}.${sign(null, Buffer.from(`${header}.${claims}`), ed448).toString('base64url')}`],
  ['labelled with another algorithm', signer.token({}, { alg: 'ES256' })],
  ['with an unknown critical header', signer.token({}, { crit: ['odd'], odd: 1 })],
  ['with changed claims', `${header}.${forged}.${signature}`],
  ['without a signature', `${header}.${claims}.`],
  ['of an unknown tier', signer.token({ tier: 'platinum' })],
  ['of a tier named like an Object.prototype property', signer.token({ tier: 'constructor' })],
  ['without exp', signer.token({ exp: undefined })],
  ['with an exp that is text', signer.token({ exp: String(nowSeconds() + daySeconds) })],
  ['with an exp that is not a date', signer.token({ exp: 1e300 })],
  ['without sub', signer.token({ sub: undefined })],
  ['without iss', signer.token({ iss: undefined })],
  ['without iat', signer.token({ iat: undefined })],
  ['beyond its grace period', signer.token({ exp: nowSeconds() - 15 * daySeconds })],
  ['that is empty', ''],
  ['that is garbage', 'a.b.c'],
  ['that is very long', `${header}.${'A'.repeat(100_000)}.${signature}`],
])('a token %s is rejected and changes nothing', async (_, token) => {
  rig = await startLicensing(signer);
  const license = rig.kernel.resolve('license');
  const refused = { code: 'LICENSING_ERR_TOKEN_INVALID', message: 'License token is not valid', status: 400 };
  await expect(license.apply(token, 'browser')).rejects.toMatchObject(refused);
  expect(license.state()).toEqual({ tier: 'community', status: 'community', entitlements: [] });
  expect(license.account()).toBeNull();
});

test('with an invalid public key every token is rejected, and the advice names the variable', async () => {
  rig = await startLicensing(signer, { environment: { AGENT_LICENSE_PUBLIC_KEY: 'no key' } });
  const details = { advice: expect.stringContaining('AGENT_LICENSE_PUBLIC_KEY is not an Ed25519 public key') };
  await expect(rig.kernel.resolve('license').apply(valid, 'browser')).rejects.toMatchObject({ status: 400, details });
  expect(rig.logs.join('\n')).toContain('AGENT_LICENSE_PUBLIC_KEY');
});

const oneLine = signer.pem.trim().replaceAll('\n', '\\n');
test.each([
  ['on one line', oneLine],
  ['on one line in quotes', `"${oneLine}"`],
  ['with surrounding whitespace', `\n ${signer.pem} \n`],
])('accepts the public key %s', async (_, AGENT_LICENSE_PUBLIC_KEY) => {
  rig = await startLicensing(signer, { environment: { AGENT_LICENSE_PUBLIC_KEY } });
  expect(await rig.kernel.resolve('license').apply(valid, 'browser')).toMatchObject({ status: 'active' });
});

test.each([
  ['that ran out long ago', signer.token({ exp: nowSeconds() - 15 * daySeconds }), /^The license expired on \d{4}-.*Sign in again/],
  [
    'of a clock that is ahead',
    signer.token({ iat: nowSeconds() + 3_600 }),
    /^The license is valid from .* UTC\. The clock of this machine shows .* UTC\. .*set the clock/,
  ],
  ['that was cut on the way', valid.slice(0, valid.lastIndexOf('.') - 10), /Copy the whole token/],
  ['of another key', createSigner().token(), /signed with an unknown key/],
])('a token %s is rejected with advice', async (_, token, advice) => {
  rig = await startLicensing(signer);
  const refused = { message: 'License token is not valid', details: { advice: expect.stringMatching(advice) } };
  await expect(rig.kernel.resolve('license').apply(token, 'browser')).rejects.toMatchObject(refused);
});

test('without a configured key, the built-in key rejects tokens of other signers', async () => {
  rig = await startLicensing(signer, { environment: { AGENT_LICENSE_PUBLIC_KEY: '' } });
  await expect(rig.kernel.resolve('license').apply(valid, 'browser')).rejects.toMatchObject({ code: 'LICENSING_ERR_TOKEN_INVALID' });
  expect(rig.logs.join('\n')).not.toContain('AGENT_LICENSE_PUBLIC_KEY');
});

test.each([['text'], [[1, null, 'own.thing', '']], [{ a: 1 }]])('unreadable entitlements (%j) add nothing, and the tier still applies', async (ent) => {
  rig = await startLicensing(signer);
  const state = await rig.kernel.resolve('license').apply(signer.token({ ent }), 'browser');
  expect(state).toMatchObject({ tier: 'pro', status: 'active' });
  expect(state.entitlements.filter((key) => !pro.includes(key))).toEqual(Array.isArray(ent) ? ['own.thing'] : []);
});

test('the account shows the signed tier, whatever the account file contains', async () => {
  rig = await startLicensing(signer);
  const license = rig.kernel.resolve('license');
  await license.apply(signer.token(), 'browser');
  await writeFile(
    join(rig.home, 'account.json'),
    JSON.stringify({ email: 'ada@example.org', tier: 'enterprise', source: 'browser', connectedAt: '2026-01-01T00:00:00.000Z' }),
  );
  await license.refresh();
  expect(license.account()).toMatchObject({ tier: 'pro', connectedAt: '2026-01-01T00:00:00.000Z' });
});

test('a document is valid only for its signed purpose and from the license issuer', async () => {
  rig = await startLicensing(signer);
  const { verify } = rig.kernel.resolve('license');
  const policy = signer.token({ revision: 7 }, { typ: 'policy+jws' });
  expect(await verify('policy', policy)).toMatchObject({ revision: 7 });
  const others = [
    signer.token({ revision: 7 }),
    stranger.token({ revision: 7 }, { typ: 'policy+jws' }),
    unsignedToken(),
    hmacToken(signer.pem),
    tampered(policy, policy.length - 4),
    'x',
    '',
  ];
  for (const one of others) expect(await verify('policy', one)).toBeUndefined();
  expect(await verify('fleet', policy)).toBeUndefined();
});
