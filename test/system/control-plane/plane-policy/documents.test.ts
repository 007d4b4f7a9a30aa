// Tests policy and fleet configuration over HTTP: base revision, signature, history, rollback, preview.
import { expect, onTestFinished, test } from 'vitest';
import { openPlaneStream } from '../../../helpers/plane-stream.ts';
import { addMember, startPlane, type Plane } from '../../../helpers/plane.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const plane = useAll(() => startPlane());
const second = useAll(() => startPlane({ databaseUrl: plane.databaseUrl }));
const admin = useAll(() => addMember(plane, { email: 'adm@example.org', role: 'admin', tier: 'team' }));
const member = useAll(() => addMember(plane, { email: 'mem@example.org', role: 'member', tier: 'team' }));
const viewer = useAll(() => addMember(plane, { email: 'vie@example.org', role: 'viewer', tier: 'team' }));

const call = (method: string, path: string, body?: unknown, who = admin, headers: Record<string, string> = {}): ReturnType<Plane['call']> =>
  plane.call(method, `/api/team/${path}`, { cookie: who.cookie, headers, ...(body === undefined ? {} : { body }) });
const revisionNow = async (path: string): Promise<number> => (await call('GET', path)).body.revision as number;

test('accepts a policy only on the latest revision and returns it signed for the requesting member', async () => {
  expect((await call('GET', 'policy', undefined, viewer)).body).toMatchObject({ revision: 0, policy: {} });
  const policy = { blockedTools: ['run_command'], groups: [{ name: 'Readers', match: { roles: ['viewer'] }, forcedApprovals: ['write_*'] }] };
  expect(await call('PUT', 'policy', { base: 0, policy })).toMatchObject({ status: 200, body: { revision: 1 } });
  expect(await call('PUT', 'policy', { base: 0, policy: {} })).toMatchObject({
    status: 409,
    body: { error: { code: 'revision_conflict', details: { revision: 1 } } },
  });
  const { body } = await call('GET', 'policy', undefined, viewer);
  expect(body).toMatchObject({ revision: 1, policy });
  const keys = second.kernel.resolve('planeKeys');
  expect(await keys.verify('policy', body.signature)).toMatchObject({
    ...{ org: admin.member.org.id, sub: 'vie@example.org', role: 'viewer', revision: 1, policy },
    effective: {
      blockedTools: [{ pattern: 'run_command', from: 'everybody' }],
      forcedApprovals: [{ pattern: 'write_*', from: 'Readers' }],
      allowedModels: [],
      spendingCaps: [],
    },
  });
  expect(await keys.verify('fleet', body.signature)).toBeUndefined();
  const own = await plane.kernel.resolve('planePolicy').effective(member.member);
  expect([own.blockedTools.length, own.forcedApprovals.length]).toEqual([1, 0]);
});

test('returns 304 for an unchanged policy until the role changes', async () => {
  const first = await call('GET', 'policy', undefined, member);
  const tag = first.headers.get('etag')!;
  const again = await call('GET', 'policy', undefined, member, { 'if-none-match': tag });
  expect([again.status, again.body]).toEqual([304, '']);
  expect((await call('GET', 'policy', undefined, viewer, { 'if-none-match': tag })).status).toBe(200);
  await addMember(plane, { email: 'mem@example.org', role: 'viewer', tier: 'team' });
  expect((await call('GET', 'policy', undefined, member, { 'if-none-match': tag })).status).toBe(200);
  await addMember(plane, { email: 'mem@example.org', role: 'member', tier: 'team' });
  expect(plane.logs.filter((line) => /already sent|error/i.test(line))).toEqual([]);
});

test('accepts one of several concurrent writes on two nodes and returns 409 to the others', async () => {
  const base = await revisionNow('policy');
  const writes = await Promise.all(
    [plane, second, plane, second].map((node, n) =>
      node.call('PUT', '/api/team/policy', { cookie: admin.cookie, body: { base, policy: { blockedTools: [`tool_${n}`] } } }),
    ),
  );
  expect(writes.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  expect(await revisionNow('policy')).toBe(base + 1);
});

test('returns the history with authors and differences, and rolls back to an earlier version', async () => {
  const base = await revisionNow('fleet/config');
  await call('PUT', 'fleet/config', { base, config: { harness: { env: { AGENT_CRITIC: '1', AGENT_MODEL: 'one' } } } });
  await call('PUT', 'fleet/config', { base: base + 1, config: { harness: { env: { AGENT_CRITIC: '1', AGENT_MODEL: 'two' } } } });
  const { versions } = (await call('GET', 'fleet/config/history')).body;
  expect(versions[0]).toMatchObject({
    revision: base + 2,
    by: { userId: admin.member.person.id, email: 'adm@example.org' },
    differences: [{ path: '/harness/env/AGENT_MODEL', before: 'one', after: 'two' }],
  });
  expect((await call('GET', `fleet/config/history/${base + 1}`)).body).toMatchObject({ config: { harness: { env: { AGENT_MODEL: 'one' } } } });
  expect(await call('GET', 'fleet/config/history/999')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  expect((await call('POST', 'fleet/config/rollback', { base: base + 2, to: base + 1 })).body).toEqual({ revision: base + 3 });
  expect((await call('GET', 'fleet/config')).body).toMatchObject({ revision: base + 3, config: { harness: { env: { AGENT_MODEL: 'one' } } } });
  expect((await call('POST', 'fleet/config/rollback', { base: base + 2, to: 0 })).status).toBe(409);
  const events = (await call('GET', 'audit/events?limit=1000')).body.events as { kind: string }[];
  expect(events.filter(({ kind }) => kind.startsWith('fleet_')).map(({ kind }) => kind)).toEqual(['fleet_changed', 'fleet_changed', 'fleet_rolled_back']);
});

test('counts the members affected by a change in a preview without applying it', async () => {
  const base = await revisionNow('policy');
  await call('PUT', 'policy', { base, policy: {} });
  const policy = {
    spendingCaps: { perDay: 5 },
    groups: [{ name: 'Non-admins', match: { roles: ['viewer', 'member'] }, blockedTools: ['run_command'] }],
  };
  const { body } = await call('POST', 'policy/preview', { policy });
  expect(body).toMatchObject({
    ...{ affects: 3, of: 3 },
    summary: [
      { change: 'spend at most 5 USD per day', members: 3 },
      { change: 'no longer be able to use run_command', members: 2 },
    ],
  });
  expect(body.members.find((one: any) => one.email === 'adm@example.org').changes).toEqual(['spend at most 5 USD per day']);
  expect(await revisionNow('policy')).toBe(base + 1);
  expect((await call('POST', 'fleet/config/preview', { config: { harness: { env: { AGENT_CRITIC: '0' } } } })).body).toMatchObject({ affects: 3, of: 3 });
});

test('rejects protected fleet settings, invalid policies, writers below admin and a plan without the entitlement', async () => {
  for (const key of ['AGENT_API_KEY', 'AGENT_LICENSE_PUBLIC_KEY', 'AGENT_PLUGIN_DIR', 'AGENT_YOLO', 'AGENT_CONTROL_PLANE_URL', 'PATH'])
    expect(await call('PUT', 'fleet/config', { base: 0, config: { harness: { env: { [key]: '1' } } } })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request' } },
    });
  const bad = [{ blockedTools: 'x' }, { blockedTools: ['a b'] }, { more: 1 }, { groups: [{ name: 'x', match: {} }] }, { spendingCaps: { perDay: -1 } }];
  const twice = { groups: [1, 2].map(() => ({ name: 'same', match: { roles: ['viewer'] } })) };
  for (const policy of [...bad, twice]) expect((await call('PUT', 'policy', { base: 0, policy })).status).toBe(400);
  expect(await call('PUT', 'policy', { base: 0, policy: {} }, member)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  const other = await addMember(plane, { email: 'oth@example.org', role: 'owner', tier: 'team', org: 'Other' });
  expect((await call('GET', 'policy', undefined, other)).body).toMatchObject({ revision: 0, policy: {} });
  const poor = await addMember(plane, { email: 'poor@example.org', role: 'owner', tier: 'pro', org: 'Poor' });
  expect(await call('GET', 'policy', undefined, poor)).toMatchObject({ status: 403, body: { error: { code: 'entitlement_required' } } });
});

test('streams changes of policy and membership, and ends the stream with the access', async () => {
  const stream = await openPlaneStream(plane.url, '/api/team/changes', { cookie: viewer.cookie });
  onTestFinished(() => stream.close());
  const { data: before } = await stream.until(() => true);
  const base = await revisionNow('policy');
  expect(before.policy).toBe(base);
  await call('PUT', 'policy', { base, policy: { blockedTools: ['x'] } });
  await stream.until(({ policy }) => policy === base + 1);
  const fresh = await addMember(plane, { email: 'new@example.org', role: 'viewer', tier: 'team' });
  const people = plane.kernel.resolve('people');
  people.changed({ what: 'member', orgId: fresh.member.org.id, userId: fresh.member.person.id });
  await stream.until(({ membership }) => membership !== before.membership);
  people.changed({ what: 'credential', credential: viewer.member.credential });
  await stream.ended;
});
