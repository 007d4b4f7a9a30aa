// Tests service sign-in: by a form on the same machine, by a device code on another one.
import { expect, test } from 'vitest';
import { addMember, startPlane, type Plane } from '../../../helpers/plane.ts';
import { whoAsks } from '../plane-licenses/plane-kit.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const plane = useAll(() => startPlane({ modules: { 'who-asks': whoAsks }, environment: { HUB_ATTEMPTS_PER_MINUTE: '40' } }));
const ann = useAll(() => addMember(plane, { email: 'ann@example.org', role: 'viewer', tier: 'team' }));

const redirectUri = 'http://127.0.0.1:3001/api/hub/auth/callback';
const refused = (status: number, code: string): object => ({ status, body: { error: { code } } });
const post = (path: string, body: object, who: { cookie?: string; token?: string } = {}): ReturnType<Plane['call']> =>
  plane.call('POST', path, { body, ...who });
const confirm = (body: object, who: { cookie?: string; token?: string } = { cookie: ann.cookie }): ReturnType<Plane['call']> =>
  post('/api/connect/harness', body, who);
const wait = (): Promise<unknown> => plane.kernel.resolve('database').query(`update device_code set polled_at = polled_at - interval '1 minute'`);
const redeem = (deviceCode: string): ReturnType<Plane['call']> => post('/api/device/token', { deviceCode });

test('returns a form that hands the license over to the local service after confirmation', async () => {
  const asked = await plane.call('GET', `/api/connect/harness?${new URLSearchParams({ state: 'abc123', redirectUri }).toString()}`, { cookie: ann.cookie });
  expect(asked).toMatchObject({ status: 200, body: { email: 'ann@example.org', target: '127.0.0.1:3001', organisations: [{ name: 'Acme', tier: 'team' }] } });
  const { status, body } = await confirm({ state: 'abc123', redirectUri });
  expect([status, body.action, body.fields.state]).toEqual([200, redirectUri, 'abc123']);
  expect(await plane.call('GET', '/test/who', { token: body.fields.token })).toMatchObject({
    body: { email: 'ann@example.org', via: 'license', role: 'viewer' },
  });
});

test('accepts a state once', async () => {
  expect((await confirm({ state: 'once', redirectUri })).status).toBe(200);
  expect(await confirm({ state: 'once', redirectUri })).toMatchObject(refused(409, 'state_used'));
});

test.each(['https://evil.example/api/hub/auth/callback', 'http://127.0.0.1:3001/elsewhere', 'http://127.0.0.1:3001/api/hub/auth/callback?x'])(
  'refuses to hand a license over to %s',
  async (elsewhere) => {
    const asked = await plane.call('GET', `/api/connect/harness?${new URLSearchParams({ state: 'x', redirectUri: elsewhere }).toString()}`, {
      cookie: ann.cookie,
    });
    for (const reply of [asked, await confirm({ state: 'elsewhere', redirectUri: elsewhere })]) {
      expect(reply).toMatchObject(refused(400, 'redirect'));
      expect(reply.headers.get('location')).toBeNull();
      expect(JSON.stringify(reply.body)).not.toContain('evil');
    }
  },
);

test('restricts the form of the page to a local callback address and sends its origin as referrer', async () => {
  for (const elsewhere of ['https://evil.example/api/hub/auth/callback', 'http://127.0.0.1:3001/', undefined]) {
    const query = new URLSearchParams({ state: 'abc', ...(elsewhere === undefined ? {} : { redirect_uri: elsewhere }) });
    const reply = await plane.call('GET', `/connect/harness?${query.toString()}`);
    // The page may not be built in this environment.
    if (reply.status === 503) continue;
    expect([reply.status, reply.headers.get('location')]).toEqual([200, null]);
    expect(reply.headers.get('content-security-policy')).toContain("form-action 'none'");
  }
  const reply = await plane.call('GET', `/connect/harness?${new URLSearchParams({ state: 'abc', redirect_uri: redirectUri }).toString()}`);
  if (reply.status === 503) return;
  expect(reply.headers.get('content-security-policy')).toContain(`form-action ${redirectUri};`);
  expect(reply.body).toContain('<meta name="referrer" content="origin" />');
});

test('rejects a confirmation without a session, with a license, for another organisation or with malformed fields', async () => {
  const { member: stranger } = await addMember(plane, { email: 'sam@example.org', role: 'owner', org: 'Others' });
  expect((await confirm({ state: 'y', redirectUri }, {})).status).toBe(401);
  expect(await confirm({ state: 'y', redirectUri }, { token: ann.token })).toMatchObject(refused(403, 'session_needed'));
  expect(await confirm({ state: 'y', redirectUri, orgId: stranger.org.id })).toMatchObject(refused(409, 'not_member'));
  expect(await confirm({ state: 'y y', redirectUri })).toMatchObject(refused(400, 'invalid_request'));
  expect(await confirm({ state: 'y', redirectUri, token: 'a' })).toMatchObject(refused(400, 'invalid_request'));
  expect((await confirm({ state: 'y', redirectUri })).status).toBe(200);
});

test('issues a license to a device once, after a person approved its code', async () => {
  const { body: begun } = await post('/api/device/code', { device: 'box\u0007 of\nAnn' });
  expect(begun).toMatchObject({ verificationUrl: `${plane.url}/device`, expiresIn: 600, interval: expect.any(Number) });
  expect(await redeem(begun.deviceCode)).toMatchObject(refused(400, 'authorization_pending'));
  expect(await redeem(begun.deviceCode)).toMatchObject({ ...refused(400, 'slow_down'), body: { error: { details: { interval: begun.interval + 5 } } } });
  const typed = `${begun.userCode.slice(0, 4).toLowerCase()}-${begun.userCode.slice(4)}`;
  expect(await post('/api/device/look', { userCode: typed }, { cookie: ann.cookie })).toMatchObject({
    body: { email: 'ann@example.org', device: 'box of Ann', peer: '127.0.0.1' },
  });
  expect(await post('/api/device/approve', { userCode: typed }, { cookie: ann.cookie })).toMatchObject({ status: 200 });
  expect(await post('/api/device/approve', { userCode: typed }, { cookie: ann.cookie })).toMatchObject(refused(404, 'code_unknown'));
  await wait();
  const { status, body } = await redeem(begun.deviceCode);
  expect(status).toBe(200);
  expect(await plane.call('GET', '/test/who', { token: body.token })).toMatchObject({ body: { email: 'ann@example.org' } });
  expect(await redeem(begun.deviceCode)).toMatchObject(refused(400, 'expired_token'));
  const [row] = await plane.kernel.resolve('database').query(`select device from license order by made_at desc limit 1`);
  expect(row).toEqual({ device: 'box of Ann' });
});

test('issues no license for a denied, expired or unknown code', async () => {
  const { body: begun } = await post('/api/device/code', {});
  expect(await post('/api/device/deny', { userCode: begun.userCode }, { cookie: ann.cookie })).toMatchObject({ status: 200 });
  expect(await redeem(begun.deviceCode)).toMatchObject(refused(400, 'access_denied'));
  expect(await redeem(begun.deviceCode)).toMatchObject(refused(400, 'expired_token'));
  const { body: late } = await post('/api/device/code', {});
  await plane.kernel.resolve('database').query(`update device_code set expires_at = now()`);
  for (const path of ['look', 'approve', 'deny']) {
    expect(await post(`/api/device/${path}`, { userCode: late.userCode }, { cookie: ann.cookie })).toMatchObject(refused(404, 'code_unknown'));
  }
  expect(await redeem(late.deviceCode)).toMatchObject(refused(400, 'expired_token'));
  expect(await redeem('x')).toMatchObject(refused(400, 'expired_token'));
});

test('issues one license for concurrent redemptions of a code', async () => {
  const { body: begun } = await post('/api/device/code', {});
  await post('/api/device/approve', { userCode: begun.userCode }, { cookie: ann.cookie });
  const replies = await Promise.all([redeem(begun.deviceCode), redeem(begun.deviceCode), redeem(begun.deviceCode)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
});

test('stores codes and states only as hashes', async () => {
  const { body: begun } = await post('/api/device/code', {});
  const { query } = plane.kernel.resolve('database');
  const storedRows = JSON.stringify([await query('select * from device_code'), await query('select * from used_sign_in_state')]);
  for (const secret of [begun.deviceCode, begun.userCode, 'abc123']) expect(storedRows).not.toContain(secret);
});

test('limits guesses of user codes', async () => {
  const guesser = await addMember(plane, { email: 'eve@example.org', role: 'member' });
  const codes = Array.from({ length: 41 }, () => post('/api/device/look', { userCode: 'BCDFGHJK' }, { cookie: guesser.cookie }));
  const statuses = (await Promise.all(codes)).map(({ status }) => status);
  expect([...new Set(statuses)].sort()).toEqual([404, 429]);
});
