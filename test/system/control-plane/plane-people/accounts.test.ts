import { expect, onTestFinished, test } from 'vitest';
import { addMember, runPlaneCli, startPlane, type Plane } from '../../../helpers/plane.ts';

const password = 'correct horse battery';

async function start(environment: Record<string, string> = {}, databaseUrl?: string): Promise<Plane> {
  const plane = await startPlane({ environment, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
  onTestFinished(() => plane.close());
  return plane;
}

function cookieOf(headers: Headers): string {
  return String(headers.get('set-cookie')).split(';', 1)[0] ?? '';
}

test('creates the first owner on the command line once and signs in with an HttpOnly cookie', async () => {
  const plane = await start();
  expect(await runPlaneCli(plane, ['init', '--email', 'Ann@Example.org', '--password-stdin', '--org', 'Acme'], [password])).toMatchObject({ code: 0 });
  const second = await runPlaneCli(plane, ['init', '--email', 'eve@example.org', '--password-stdin'], [password]);
  expect(second).toMatchObject({ code: 1 });
  expect(second.err).toContain('PLANE_PEOPLE_ERR_SET_UP_DONE');

  const wrong = await plane.call('POST', '/api/account/sign-in', { body: { email: 'ann@example.org', password: 'something else' } });
  expect(wrong).toMatchObject({ status: 401, body: { error: { code: 'sign_in_wrong' } } });
  const unknown = await plane.call('POST', '/api/account/sign-in', { body: { email: 'nobody@example.org', password } });
  expect(unknown.body.error.message).toBe(wrong.body.error.message);
  const reply = await plane.call('POST', '/api/account/sign-in', { body: { email: ' ANN@example.org ', password } });
  expect(reply).toMatchObject({
    status: 200,
    body: { person: { email: 'ann@example.org' }, organisation: { name: 'Acme', tier: 'enterprise', role: 'owner', operates: true }, via: 'session' },
  });
  expect(reply.headers.get('set-cookie')).toMatch(/^hub_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
  const cookie = cookieOf(reply.headers);
  expect(await plane.call('GET', '/api/account/me', { cookie })).toMatchObject({ status: 200, body: { organisation: { name: 'Acme' } } });
  const out = await plane.call('POST', '/api/account/sign-out', { cookie, body: {} });
  expect(out).toMatchObject({ status: 200 });
  expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
  expect(await plane.call('GET', '/api/account/me', { cookie })).toMatchObject({ status: 401 });
  const rows = await plane.kernel.resolve('database').query<{ password: string }>('select password from person');
  expect(rows.map((row) => row.password)).toEqual([expect.stringMatching(/^scrypt\$17\$8\$1\$/)]);
});

test('sets a Secure __Host- cookie behind TLS', async () => {
  const plane = await start({ HUB_PUBLIC_URL: 'https://hub.example.org' });
  const { cookie } = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
  expect(cookie).toMatch(/^__Host-hub_session=/);
  const reply = await plane.call('POST', '/api/account/sign-out', { cookie, body: {} });
  expect(reply.headers.get('set-cookie')).toMatch(/^__Host-hub_session=; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0; Secure$/);
});

test('accepts the printed setup address for the first owner once, across two nodes', async () => {
  const plane = await start();
  const node = await start({}, plane.databaseUrl);
  const note = async (): Promise<string> => (await runPlaneCli(node, ['--port', '0'], [], AbortSignal.abort())).out;
  const [first = '', again = ''] = [await note(), await note()].map((said) => /\/sign-up\?setup=([\w-]{43})\n/.exec(said)?.[1]);
  const ask = (email: string, setup?: string): ReturnType<Plane['call']> =>
    plane.call('POST', '/api/account/sign-up', { body: { email, password, ...(setup === undefined ? {} : { setup }) } });
  expect(await ask('eve@example.org')).toMatchObject({ status: 403, body: { error: { code: 'sign_up_closed' } } });
  expect(await ask('eve@example.org', 'a'.repeat(43))).toMatchObject({ status: 403, body: { error: { code: 'link_invalid' } } });
  const both = await Promise.all([ask('ann@example.org', first), ask('ben@example.org', again)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(both.find(({ status }) => status === 409)?.body.error.code).toBe('set_up_done');
  expect(await plane.kernel.resolve('database').query('select role from membership')).toEqual([{ role: 'owner' }]);
  expect(await plane.kernel.resolve('database').query('select count(*) from person')).toEqual([{ count: 1 }]);
  expect(await note()).not.toContain('setup=');
  // An invalid link returns the same error for existing and unknown accounts.
  for (const email of [both.find(({ status }) => status === 200)?.body.person.email as string, 'eve@example.org'])
    expect(await ask(email, 'a'.repeat(43)), email).toMatchObject({ status: 403, body: { error: { code: 'link_invalid' } } });
}, 20_000);

test('accepts the latest password reset link once, ends all sessions and invalidates the old password', async () => {
  const plane = await start();
  await runPlaneCli(plane, ['init', '--email', 'ann@example.org', '--password-stdin'], [password]);
  const signIn = (secret: string): ReturnType<Plane['call']> =>
    plane.call('POST', '/api/account/sign-in', { body: { email: 'ann@example.org', password: secret } });
  const cookie = cookieOf((await signIn(password)).headers);
  expect(await runPlaneCli(plane, ['reset-password', '--email', 'nobody@example.org'])).toMatchObject({ code: 1 });
  const links = [
    await runPlaneCli(plane, ['reset-password', '--email', 'ann@example.org']),
    await runPlaneCli(plane, ['reset-password', '--email', 'ann@example.org']),
  ];
  const [old = '', token = ''] = links.map(({ out }) => /\/reset\?token=([\w-]{43})\n/.exec(out)?.[1]);
  const reset = (link: string, secret: string): ReturnType<Plane['call']> =>
    plane.call('POST', '/api/account/reset', { body: { token: link, password: secret } });
  expect(await reset(old, 'another password')).toMatchObject({ status: 403, body: { error: { code: 'link_invalid' } } });
  expect(await reset(token, 'short')).toMatchObject({ status: 400, body: { error: { code: 'password_weak' } } });
  expect(await reset(token, 'another password')).toMatchObject({ status: 200 });
  expect(await reset(token, 'a third password')).toMatchObject({ status: 403 });
  expect(await plane.call('GET', '/api/account/me', { cookie })).toMatchObject({ status: 401 });
  expect((await signIn(password)).status).toBe(401);
  expect((await signIn('another password')).status).toBe(200);
}, 20_000);

test('signs out other browsers when the password changes, and ends sessions individually', async () => {
  const plane = await start();
  await runPlaneCli(plane, ['init', '--email', 'ann@example.org', '--password-stdin'], [password]);
  const first = cookieOf((await plane.call('POST', '/api/account/sign-in', { body: { email: 'ann@example.org', password } })).headers);
  const { cookie: second } = await addMember(plane, { email: 'ann@example.org', role: 'owner', org: 'example.org' });
  const { cookie: third } = await addMember(plane, { email: 'ann@example.org', role: 'owner', org: 'example.org' });
  const { cookie: other } = await addMember(plane, { email: 'ben@example.org', role: 'owner', org: 'example.org' });
  const isIn = async (cookie: string): Promise<boolean> => (await plane.call('GET', '/api/account/me', { cookie })).status === 200;

  const { sessions } = (await plane.call('GET', '/api/account/sessions', { cookie: first })).body;
  expect(sessions.filter((one: { via: string }) => one.via === 'session')).toHaveLength(3);
  expect(sessions.filter((one: { current: boolean }) => one.current)).toHaveLength(1);
  const foreign = (await plane.call('GET', '/api/account/sessions', { cookie: other })).body.sessions.find((one: { current: boolean }) => one.current);
  expect(await plane.call('DELETE', `/api/account/sessions/${foreign.id}`, { cookie: first })).toMatchObject({
    status: 404,
    body: { error: { code: 'not_found' } },
  });
  const own = (await plane.call('GET', '/api/account/sessions', { cookie: third })).body.sessions.find((one: { current: boolean }) => one.current);
  expect(await plane.call('DELETE', `/api/account/sessions/${own.id}`, { cookie: first })).toMatchObject({ status: 200 });
  expect([await isIn(first), await isIn(second), await isIn(third), await isIn(other)]).toEqual([true, true, false, true]);

  const change = (current: string): ReturnType<Plane['call']> =>
    plane.call('POST', '/api/account/password', { cookie: first, body: { current, password: 'another password' } });
  expect(await change('wrong one')).toMatchObject({ status: 403, body: { error: { code: 'password_wrong' } } });
  expect(await change(password)).toMatchObject({ status: 200 });
  expect([await isIn(first), await isIn(second), await isIn(other)]).toEqual([true, false, true]);
  await addMember(plane, { email: 'ann@example.org', role: 'owner', org: 'example.org' });
  expect(await plane.call('DELETE', '/api/account/sessions', { cookie: first })).toMatchObject({ status: 200, body: { ended: expect.any(Number) } });
}, 20_000);

test('counts sign-in attempts across two nodes, by address and by account', async () => {
  const plane = await start({ HUB_ATTEMPTS_PER_MINUTE: '4' });
  const other = await start({ HUB_ATTEMPTS_PER_MINUTE: '4' }, plane.databaseUrl);
  const attempt = (at: Plane, address: string, account?: string): Promise<void> =>
    at.kernel.resolve('planeAttempts').take('device-code', { address, ...(account === undefined ? {} : { account }) });
  const tooMany = { code: 'PLANE_PEOPLE_ERR_TOO_MANY_ATTEMPTS', status: 429 };
  for (const [at, account] of [
    [plane, 'a'],
    [other, 'A '],
    [plane, 'a'],
    [other, 'a'],
  ].entries())
    await attempt(account[0] as Plane, `10.0.0.${at}`, account[1] as string);
  await expect(attempt(plane, '10.0.0.5', 'a')).rejects.toMatchObject(tooMany);
  await expect(attempt(plane, '10.0.0.5', 'b')).resolves.toBeUndefined();
  // A /64 IPv6 network counts as one address.
  for (const at of [1, 2, 3, 4]) await attempt(at % 2 ? plane : other, `2001:db8:1:2::${at}`);
  await expect(attempt(plane, '2001:db8:1:2:ffff::1')).rejects.toMatchObject(tooMany);
  await expect(attempt(plane, '2001:db8:1:3::1')).resolves.toBeUndefined();
  const { guard } = plane.kernel.resolve('planeAttempts');
  for (let at = 0; at < 6; at++) await expect(guard('invite', { account: 'right' }, () => Promise.resolve(at))).resolves.toBe(at);

  const tries = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((n) => (n % 2 ? plane : other).call('POST', '/api/account/sign-in', { body: { email: `user${n}@example.org`, password } })),
  );
  expect(tries.map(({ status }) => status).sort()).toEqual([401, 401, 401, 401, 429, 429]);
  const refused = tries.find(({ status }) => status === 429);
  expect(refused?.body.error.code).toBe('too_many_attempts');
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  const rows = await plane.kernel.resolve('database').query<{ key_hash: string }>('select key_hash from attempt');
  expect(rows.every(({ key_hash }) => /^[0-9a-f]{64}$/.test(key_hash))).toBe(true);
}, 20_000);

test('rejects invalid addresses, weak passwords, taken addresses and unknown fields at sign-up', async () => {
  const plane = await start({ HUB_SIGN_UP: 'open', HUB_ATTEMPTS_PER_MINUTE: '1000' });
  await addMember(plane, { email: 'ann@example.org', role: 'owner' });
  const ask = (email: string, secret: string): ReturnType<Plane['call']> => plane.call('POST', '/api/account/sign-up', { body: { email, password: secret } });
  for (const email of ['nobody', 'a@b@c', 'a b@example.org', 'a@example..org', '@example.org', 'a\u0000@example.org']) {
    expect(await ask(email, password)).toMatchObject({ status: 400, body: { error: { code: 'email_invalid' } } });
  }
  for (const secret of ['seven77', 'x'.repeat(201)]) {
    expect(await ask('ben@example.org', secret)).toMatchObject({ status: 400, body: { error: { code: 'password_weak' } } });
  }
  expect(await ask('Ann@Example.org', password)).toMatchObject({ status: 409, body: { error: { code: 'email_taken' } } });
  expect(await plane.call('POST', '/api/account/sign-up', { body: { email: 'ben@example.org', password, role: 'owner' } })).toMatchObject({ status: 400 });
  expect(await ask('ben@example.org', password)).toMatchObject({
    status: 200,
    body: { organisation: { name: 'example.org', tier: 'community', role: 'owner', operates: false, entitlements: [] } },
  });
  expect(await plane.kernel.resolve('database').query('select count(*) from person')).toEqual([{ count: 2 }]);
}, 20_000);
