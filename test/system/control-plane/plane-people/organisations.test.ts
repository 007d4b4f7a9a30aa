import { expect, onTestFinished, test } from 'vitest';
import { addMember, startPlane, type Plane } from '../../../helpers/plane.ts';

const password = 'correct horse battery';

async function start(environment: Record<string, string> = {}, databaseUrl?: string): Promise<Plane> {
  const plane = await startPlane({
    environment: { HUB_ATTEMPTS_PER_MINUTE: '1000', ...environment },
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
  });
  onTestFinished(() => plane.close());
  return plane;
}

const tokenOf = (link: string): string => /\/sign-up\?invite=([\w-]{43})$/.exec(link)?.[1] ?? '';

test('accepts an invitation once, only from its addressee, until it is revoked or expires', async () => {
  const plane = await start();
  const { cookie, member } = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
  const path = `/api/orgs/${member.org.id}/invites`;
  const made = await plane.call('POST', path, { cookie, body: { role: 'member', email: 'Ben@Example.org' } });
  expect(made).toMatchObject({ status: 201, body: { invite: { role: 'member', email: 'ben@example.org', invitedBy: 'ann@example.org' }, mailed: false } });
  const token = tokenOf(made.body.link);
  expect((await plane.call('GET', path, { cookie })).body).not.toHaveProperty('invites.0.link');
  expect(await plane.call('POST', '/api/invites/look', { body: { token } })).toMatchObject({
    body: { organisation: 'Acme', role: 'member', email: 'ben@example.org' },
  });

  const signUp = (email: string, invite: string): ReturnType<Plane['call']> =>
    plane.call('POST', '/api/account/sign-up', { body: { email, password, invite } });
  expect(await signUp('eve@example.org', token)).toMatchObject({ status: 403, body: { error: { code: 'invite_for_other' } } });
  expect(await signUp('ben@example.org', token)).toMatchObject({ status: 200, body: { organisation: { name: 'Acme', role: 'member' } } });
  expect(await signUp('eve@example.org', token)).toMatchObject({ status: 403, body: { error: { code: 'link_invalid' } } });
  expect((await plane.call('GET', path, { cookie })).body.invites).toEqual([]);

  // Two people open the same link concurrently: one joins, the other gets no account.
  const open = tokenOf((await plane.call('POST', path, { cookie, body: { role: 'viewer' } })).body.link);
  const both = await Promise.all([signUp('carl@example.org', open), signUp('dora@example.org', open)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
  expect((await plane.call('GET', `/api/orgs/${member.org.id}/members`, { cookie })).body.members).toHaveLength(3);
  expect(await plane.kernel.resolve('database').query('select count(*) from person')).toEqual([{ count: 3 }]);

  const gone = await plane.call('POST', path, { cookie, body: { role: 'viewer' } });
  expect(await plane.call('DELETE', `${path}/${gone.body.invite.id}`, { cookie })).toMatchObject({ status: 200 });
  expect(await plane.call('DELETE', `${path}/${gone.body.invite.id}`, { cookie })).toMatchObject({ status: 404 });
  expect(await signUp('eve@example.org', tokenOf(gone.body.link))).toMatchObject({ status: 403 });
  const late = tokenOf((await plane.call('POST', path, { cookie, body: { role: 'viewer' } })).body.link);
  await plane.kernel.resolve('database').query(`update invite set ends_at = now() - interval '1 second'`);
  expect(await signUp('eve@example.org', late)).toMatchObject({ status: 403 });
}, 20_000);

test('lets an existing account accept an invitation and switch between organisations', async () => {
  const plane = await start();
  const ann = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
  const ben = await addMember(plane, { email: 'ben@example.org', role: 'owner', org: 'Other', tier: 'pro' });
  const { body } = await plane.call('POST', `/api/orgs/${ann.member.org.id}/invites`, { cookie: ann.cookie, body: { role: 'admin' } });
  const token = tokenOf(body.link);
  expect(await plane.call('POST', '/api/invites/accept', { cookie: ben.cookie, body: { token } })).toMatchObject({ status: 200 });
  expect((await plane.call('GET', '/api/account/me', { cookie: ben.cookie })).body).toMatchObject({
    organisation: { name: 'Acme', role: 'admin' },
    organisations: [{ name: 'Acme' }, { name: 'Other', role: 'owner' }],
  });
  expect(await plane.call('POST', `/api/orgs/${ben.member.org.id}/switch`, { cookie: ben.cookie, body: {} })).toMatchObject({ status: 200 });
  expect((await plane.call('GET', '/api/account/me', { cookie: ben.cookie })).body).toMatchObject({ organisation: { name: 'Other', tier: 'pro' } });
  expect(await plane.call('POST', `/api/orgs/${ben.member.org.id}/switch`, { cookie: ann.cookie, body: {} })).toMatchObject({ status: 404 });
  const { body: again } = await plane.call('POST', `/api/orgs/${ann.member.org.id}/invites`, { cookie: ann.cookie, body: { role: 'owner' } });
  expect(await plane.call('POST', '/api/invites/accept', { cookie: ben.cookie, body: { token: tokenOf(again.link) } })).toMatchObject({ status: 200 });
  expect((await plane.call('GET', '/api/account/me', { cookie: ben.cookie })).body.organisation.role).toBe('admin');
  // A service token cannot accept an invitation, only a browser session can.
  expect(await plane.call('POST', '/api/invites/accept', { token: ann.token, body: { token } })).toMatchObject({
    status: 403,
    body: { error: { code: 'session_needed' } },
  });
});

test('moves a removed member to another organisation, or to none', async () => {
  const plane = await start();
  const ann = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
  await addMember(plane, { email: 'ben@example.org', role: 'owner', org: 'Other' });
  const ben = await addMember(plane, { email: 'ben@example.org', role: 'member' });
  const carl = await addMember(plane, { email: 'carl@example.org', role: 'member' });
  for (const one of [ben, carl]) {
    expect(await plane.call('DELETE', `/api/orgs/${ann.member.org.id}/members/${one.member.person.id}`, { cookie: ann.cookie })).toMatchObject({ status: 200 });
  }
  expect((await plane.call('GET', '/api/account/me', { cookie: ben.cookie })).body).toMatchObject({ organisation: { name: 'Other', role: 'owner' } });
  expect((await plane.call('GET', '/api/account/me', { cookie: carl.cookie })).body).toMatchObject({ organisation: null, organisations: [] });
  expect(await plane.call('GET', `/api/orgs/${ann.member.org.id}/members`, { cookie: carl.cookie })).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden' } },
  });
  expect(await plane.call('POST', '/api/orgs', { cookie: carl.cookie, body: { name: 'Mine' } })).toMatchObject({
    status: 403,
    body: { error: { code: 'sign_up_closed' } },
  });
});

test('lets admins change roles below owner, and keeps one owner under concurrent changes', async () => {
  const plane = await start();
  const other = await start({}, plane.databaseUrl);
  const ann = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
  const ben = await addMember(plane, { email: 'ben@example.org', role: 'admin' });
  const carl = await addMember(plane, { email: 'carl@example.org', role: 'viewer' });
  const path = (userId: string): string => `/api/orgs/${ann.member.org.id}/members/${userId}`;
  const setRole = (by: typeof ann, of: typeof ann, role: string, at = plane): ReturnType<Plane['call']> =>
    at.call('PATCH', path(of.member.person.id), { cookie: by.cookie, body: { role } });

  expect(await setRole(carl, carl, 'admin')).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  expect(await setRole(ben, carl, 'member')).toMatchObject({ status: 200 });
  for (const [one, role] of [
    [carl, 'owner'],
    [ann, 'viewer'],
    [ben, 'owner'],
  ] as const) {
    expect(await setRole(ben, one, role)).toMatchObject({ status: 403, body: { error: { code: 'owner_needed' } } });
  }
  expect(await plane.call('DELETE', path(ann.member.person.id), { cookie: ben.cookie })).toMatchObject({
    status: 403,
    body: { error: { code: 'owner_needed' } },
  });
  const invited = await plane.call('POST', `/api/orgs/${ann.member.org.id}/invites`, { cookie: ben.cookie, body: { role: 'owner' } });
  expect(invited).toMatchObject({ status: 403, body: { error: { code: 'owner_needed' } } });
  expect(await setRole(ann, ann, 'admin')).toMatchObject({ status: 409, body: { error: { code: 'last_owner' } } });
  expect(await plane.call('POST', `/api/orgs/${ann.member.org.id}/leave`, { cookie: ann.cookie, body: {} })).toMatchObject({ status: 409 });

  for (let round = 0; round < 5; round++) {
    expect(await setRole(ann, ben, 'owner')).toMatchObject({ status: 200 });
    const results = await Promise.all([setRole(ann, ben, 'member', plane), setRole(ben, ann, 'member', other)]);
    const owners = await plane.kernel.resolve('database').query<{ user_id: string }>(`select user_id from membership where role = 'owner'`);
    expect(owners).toHaveLength(1);
    expect(results.map(({ status }) => status).sort()).toEqual([200, 403]);
    if (owners[0]?.user_id !== ann.member.person.id) expect(await setRole(ben, ann, 'owner')).toMatchObject({ status: 200 });
    await setRole(ann, ben, 'member');
  }
  expect(await plane.call('GET', '/api/team/org/members', { token: carl.token })).toMatchObject({
    status: 200,
    body: {
      members: [
        { email: 'ann@example.org', role: 'owner', devices: expect.arrayContaining([expect.objectContaining({ via: 'session', name: 'tests' })]) },
        { email: 'ben@example.org', role: 'member' },
        { email: 'carl@example.org', role: 'member' },
      ],
    },
  });
  const patch = (cookie: string): ReturnType<Plane['call']> =>
    plane.call('PATCH', `/api/team/org/members/${carl.member.person.id}`, { cookie, body: { role: 'viewer' } });
  expect(await patch(carl.cookie)).toMatchObject({ status: 403 });
  expect(await patch(ann.cookie)).toMatchObject({ status: 200 });
}, 20_000);

test('enforces the seat limit across two nodes and lets only the operator set plans', async () => {
  const plane = await start();
  const other = await start({}, plane.databaseUrl);
  const ann = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
  const eve = await addMember(plane, { email: 'eve@example.org', role: 'owner', org: 'Other', tier: 'community' });
  const plan = (by: typeof ann, orgId: string, body: unknown): ReturnType<Plane['call']> =>
    plane.call('PUT', `/api/orgs/${orgId}/plan`, { cookie: by.cookie, body });
  expect(await plan(eve, eve.member.org.id, { tier: 'enterprise', seats: 100 })).toMatchObject({ status: 403, body: { error: { code: 'operator_needed' } } });
  const admin = await addMember(plane, { email: 'ben@example.org', role: 'admin' });
  expect(await plan(admin, eve.member.org.id, { tier: 'team', seats: 2 })).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  expect(await plan(ann, eve.member.org.id, { tier: 'team', seats: 2 })).toMatchObject({ status: 200 });
  expect((await plane.call('GET', '/api/account/me', { cookie: eve.cookie })).body.organisation).toMatchObject({
    tier: 'team',
    seats: 2,
    entitlements: expect.arrayContaining(['team.rbac']),
  });
  expect(await plan(ann, 'org_nothing', { tier: 'team', seats: 2 })).toMatchObject({ status: 404 });
  expect(await plan(ann, eve.member.org.id, { tier: 'gold', seats: 2 })).toMatchObject({ status: 400 });

  const links = await Promise.all(
    [1, 2, 3].map(() => plane.call('POST', `/api/orgs/${eve.member.org.id}/invites`, { cookie: eve.cookie, body: { role: 'member' } })),
  );
  const guests = await Promise.all([1, 2, 3].map((n) => addMember(plane, { email: `new${n}@example.org`, role: 'member' })));
  const accept = (n: number): ReturnType<Plane['call']> =>
    (n % 2 ? plane : other).call('POST', '/api/invites/accept', { cookie: String(guests[n]?.cookie), body: { token: tokenOf(links[n]?.body.link) } });
  const tries = await Promise.all([0, 1, 2].map(accept));
  expect(tries.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(tries.find(({ status }) => status === 409)?.body.error.code).toBe('seats_taken');
  // The number of seats cannot be lower than the number of members.
  expect(await plan(ann, eve.member.org.id, { tier: 'team', seats: 1 })).toMatchObject({ status: 409, body: { error: { code: 'seats_taken' } } });
  expect(await plan(ann, eve.member.org.id, { tier: 'team', seats: 4 })).toMatchObject({ status: 200 });
  const refused = tries.findIndex(({ status }) => status === 409);
  expect(await accept(refused)).toMatchObject({ status: 200 });
}, 20_000);

test('lists all organisations with their plans to the operator only, by name and in pages', async () => {
  const plane = await start();
  const ann = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
  const eve = await addMember(plane, { email: 'eve@example.org', role: 'owner', org: 'Bakery', tier: 'team' });
  for (let at = 0; at < 55; at++) await plane.kernel.resolve('people').createOrganisation(`club ${String(at).padStart(2, '0')}`);
  await plane.kernel.resolve('wallets').set(eve.member.org.id, { capMicro: 2_000_000 });
  const list = (cookie: string, query = ''): ReturnType<Plane['call']> => plane.call('GET', `/api/operator/orgs${query}`, { cookie });
  const first = (await list(ann.cookie)).body;
  expect(first.organisations.slice(0, 3)).toMatchObject([
    { name: 'Acme', members: 1, operates: true, walletCapMicro: 0 },
    { name: 'Bakery', tier: 'team', members: 1, operates: false, walletCapMicro: 2_000_000, walletUsedMicro: 0 },
    { name: 'club 00', tier: 'community', members: 0 },
  ]);
  const second = (await list(ann.cookie, `?cursor=${first.cursor}`)).body;
  expect([first.organisations.length, second.organisations.length, second.organisations[0].name, second.cursor]).toEqual([50, 7, 'club 48', undefined]);
  const names = async (words: string): Promise<string[]> => (await list(ann.cookie, `?q=${words}`)).body.organisations.map((one: any) => one.name);
  expect([await names('BAKE'), await names('eve@'), await names('%25')]).toEqual([['Bakery'], ['Bakery'], []]);
  expect(await list(eve.cookie)).toMatchObject({ status: 403, body: { error: { code: 'operator_needed' } } });
});
