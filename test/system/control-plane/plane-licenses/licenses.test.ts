// Tests licenses: verification at each request, renewal and revocation.
import { expect, test } from 'vitest';
import { tampered } from '../../../helpers/tampered.ts';
import { keyFingerprint, planeLines } from '../../../../plugins/lib/plane-key.ts';
import { readLicenseToken } from '../../../../plugins/licensing/license-token.ts';
import { addMember, startPlane, type Plane } from '../../../helpers/plane.ts';
import { runCli, whoAsks } from './plane-kit.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const plane = useAll(() => startPlane({ modules: { 'who-asks': whoAsks } }));

const refused = (code: string, status = 401): object => ({ status, body: { error: { code } } });
const me = (token: string): ReturnType<Plane['call']> => plane.call('GET', '/test/who', { token });
const renew = (token: string): ReturnType<Plane['call']> => plane.call('POST', '/api/license/renew', { token, body: {} });
const claimsOf = (token: string): any => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
async function issue(...args: string[]): Promise<string> {
  const { code, out, err } = await runCli(plane, 'issue', ...args);
  expect([code, err]).toEqual([0, '']);
  return out.trim();
}

test('verifies a license with the public key alone and authenticates its member', async () => {
  const { token } = await addMember(plane, { email: 'ann@example.org', role: 'member', tier: 'team' });
  const claims: any = await readLicenseToken(token, await plane.kernel.resolve('planeKeys').publicKey());
  const publicKey = await plane.kernel.resolve('planeKeys').publicKey();
  const keyReply = (await plane.call('GET', '/api/license/key')).body;
  expect(keyReply).toEqual({ publicKey, fingerprint: keyFingerprint(publicKey), environment: planeLines(plane.url, publicKey).join('\n') });
  expect(claims).toMatchObject({ sub: 'ann@example.org', tier: 'team', org: 'Acme', iss: plane.url });
  expect(claims.exp - claims.iat).toBe(30 * 86_400);
  expect(claimsOf(token).jti).toMatch(/^lic_/);
  expect(await me(token)).toMatchObject({ status: 200 });
});

test('rejects an expired license and renews it within two weeks under the same id', async () => {
  const late = await issue('--email', 'bea@example.org', '--tier', 'pro', '--days=-3', '--org', 'Acme');
  expect(await me(late)).toMatchObject(refused('token_expired'));
  const { status, body } = await renew(late);
  expect([status, claimsOf(body.token).jti]).toEqual([200, claimsOf(late).jti]);
  expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(29 * 86_400_000);
  expect(await me(body.token)).toMatchObject({ status: 200 });
  expect(await me(late)).toMatchObject(refused('token_expired'));
  const tooLate = await issue('--email', 'bea@example.org', '--days=-15', '--org', 'Acme');
  expect(await renew(tooLate)).toMatchObject(refused('token_expired'));
});

test('rejects a revoked license and accepts a repeated revocation', async () => {
  const { token } = await addMember(plane, { email: 'cy@example.org', role: 'viewer' });
  for (let count = 0; count < 2; count++) expect(await plane.call('POST', '/api/license/revoke', { token, body: {} })).toMatchObject({ status: 200 });
  expect(await me(token)).toMatchObject(refused('token_revoked'));
  expect(await renew(token)).toMatchObject(refused('token_revoked'));
});

test('revokes one license or all of a person as the operator and ends open access', async () => {
  const { token, member } = await addMember(plane, { email: 'dot@example.org', role: 'member' });
  const second = await issue('--email', 'dot@example.org', '--org', 'Acme');
  const open = plane.kernel.resolve('people').watchAccess({ ...member, via: 'license', credential: claimsOf(second).jti });
  expect((await runCli(plane, 'revoke', '--jti', claimsOf(second).jti)).out).toBe('1 license revoked.\n');
  expect(open.signal.aborted).toBe(true);
  expect([await me(second), await me(token)]).toMatchObject([refused('token_revoked'), { status: 200 }]);
  expect((await runCli(plane, 'revoke', '--email', 'dot@example.org')).out).toBe('1 license revoked.\n');
  expect(await me(token)).toMatchObject(refused('token_revoked'));
  for (const args of [
    ['--jti', 'lic_none'],
    ['--email', 'nobody@example.org'],
  ])
    expect((await runCli(plane, 'revoke', ...args)).err).toContain('PLANE_LICENSES_ERR_NOT_FOUND');
  for (const args of [[], ['--jti', 'a', '--email', 'b']]) expect((await runCli(plane, 'revoke', ...args)).err).toContain('PLANE_LICENSES_ERR_WRONG_USE');
});

test('applies the current plan of the organisation at renewal, limited by a fixed tier', async () => {
  const { token } = await addMember(plane, { email: 'eve@example.org', role: 'member', tier: 'team', org: 'Engines' });
  expect(await renew(token)).toMatchObject({ body: { tier: 'team' } });
  await addMember(plane, { email: 'eve@example.org', role: 'admin', tier: 'pro', org: 'Engines' });
  expect(await renew(token)).toMatchObject({ body: { tier: 'pro' } });
  const fixed = await issue('--email', 'eve@example.org', '--tier', 'pro', '--org', 'Engines');
  await addMember(plane, { email: 'eve@example.org', role: 'admin', tier: 'team', org: 'Engines' });
  expect(claimsOf((await renew(fixed)).body.token).tier).toBe('pro');
  const { member } = await addMember(plane, { email: 'eve@example.org', role: 'admin', tier: 'community', org: 'Engines' });
  expect(claimsOf((await renew(fixed)).body.token).tier).toBe('community');
  await expect(plane.kernel.resolve('planeLicenses').issue({ orgId: member.org.id, userId: member.person.id, tier: 'pro' })).rejects.toMatchObject({
    code: 'PLANE_LICENSES_ERR_BEYOND_PLAN',
  });
});

test('rejects the license of a removed member', async () => {
  const { token, member } = await addMember(plane, { email: 'fay@example.org', role: 'member' });
  await plane.kernel.resolve('database').query('delete from membership where user_id = $1', [member.person.id]);
  expect(await me(token)).toMatchObject(refused('token_revoked'));
  expect(await renew(token)).toMatchObject(refused('token_revoked'));
  await expect(plane.kernel.resolve('planeLicenses').issue({ orgId: member.org.id, userId: member.person.id })).rejects.toMatchObject({
    code: 'PLANE_LICENSES_ERR_NOT_MEMBER',
  });
});

test('issues no license beyond the seats, except to a person who has one', async () => {
  const { member } = await addMember(plane, { email: 'gus@example.org', role: 'owner', org: 'Small' });
  const { member: second } = await addMember(plane, { email: 'hal@example.org', role: 'member', org: 'Small' });
  const { query } = plane.kernel.resolve('database');
  const licenses = plane.kernel.resolve('planeLicenses');
  await query(`update license set revoked_at = now() where user_id = $1`, [second.person.id]);
  await query('update organisation set seats = 1 where id = $1', [member.org.id]);
  await expect(licenses.issue({ orgId: second.org.id, userId: second.person.id })).rejects.toMatchObject({ code: 'PLANE_LICENSES_ERR_SEATS' });
  expect(await licenses.issue({ orgId: member.org.id, userId: member.person.id })).toMatchObject({ tier: 'enterprise' });
});

test('rejects malformed and tampered licenses', async () => {
  const { token } = await addMember(plane, { email: 'ivy@example.org', role: 'member' });
  const [header = '', payload = ''] = token.split('.');
  const changed = [
    '',
    'a',
    'a.b.c',
    `eyJ${'a'.repeat(6_000)}.b.c`,
    `${header}.${payload}.`,
    tampered(token, token.length - 4),
    `${header}.${Buffer.from('{}').toString('base64url')}.${token.split('.')[2]}`,
  ];
  for (const one of changed) {
    expect(await plane.call('GET', '/test/who', { token: one })).toMatchObject({ status: 401 });
    expect(await renew(one)).toMatchObject(refused('token_invalid'));
    expect(await plane.call('POST', '/api/license/revoke', { token: one, body: {} })).toMatchObject(refused('token_invalid'));
  }
});

test('rejects a policy signed by the same control plane', async () => {
  const { member } = await addMember(plane, { email: 'jo@example.org', role: 'owner' });
  const keys = plane.kernel.resolve('planeKeys');
  const policy = await keys.sign('policy', { sub: member.person.email, jti: 'lic_x', exp: 9_999_999_999 });
  expect(await me(policy)).toMatchObject({ status: 401 });
});

test.each([
  [['--tier', 'pro'], '--email'],
  [['--email', 'a@b.example', '--tier', 'gold'], 'gold'],
  [['--email', 'a@b.example', '--role', 'king'], 'king'],
  [['--email', 'a@b.example', '--days', 'many'], 'many'],
])('rejects `issue %s` with the reason', async (args, why) => {
  const { code, err } = await runCli(plane, 'issue', ...args);
  expect([code, err]).toEqual([1, expect.stringContaining(why)]);
});

test('creates the missing person and organisation with `issue` and grants the role', async () => {
  const token = await issue('--email', 'Kit@example.org', '--tier', 'pro', '--days', '5', '--org', 'New House', '--role', 'admin');
  expect(claimsOf(token)).toMatchObject({ sub: 'kit@example.org', tier: 'pro', org: 'New House' });
  const { query } = plane.kernel.resolve('database');
  expect(
    await query(
      `select m.role, o.tier from membership m join person p on p.id = m.user_id join organisation o on o.id = m.org_id where p.email = 'kit@example.org'`,
    ),
  ).toEqual([{ role: 'admin', tier: 'pro' }]);
  const other = await issue('--email', 'lou@example.org', '--days', '-1');
  expect(claimsOf(other).org).toBe('Acme');
  expect(await me(other)).toMatchObject(refused('token_expired'));
});
