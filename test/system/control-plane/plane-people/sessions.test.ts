import type { PluginModule, Registry } from 'agent-harness/kernel';
import * as Type from 'typebox';
import { expect, onTestFinished, test } from 'vitest';
import { addMember, startPlane, type Plane } from '../../../helpers/plane.ts';

/** A plugin with routes of the tests: who asks, and one for whoever pays. */
const things = {
  manifest: { name: 'things', requires: ['people'] } as const,
  register(registry: Registry<{ name: string; requires: readonly ['people'] }>): void {
    const { people } = registry.services;
    registry.add('route', {
      key: 'GET /test/who',
      summary: 'Who asks.',
      tag: 'test',
      permission: 'things.read',
      schema: { reply: Type.Unknown() },
      handle({ principal }) {
        const { person, org, role, via, entitlements } = people.member(principal);
        return { email: person.email, org: org.name, role, via, entitlements: entitlements.length };
      },
    });
    registry.add('route', {
      key: 'POST /test/things',
      summary: 'For members who pay.',
      tag: 'test',
      permission: 'things.write',
      entitlement: 'team.shared_memory',
      schema: { reply: Type.Unknown() },
      handle: () => ({ ok: true }),
    });
  },
} as unknown as PluginModule<never>;

async function start(): Promise<Plane> {
  const plane = await startPlane({ modules: { things } });
  onTestFinished(() => plane.close());
  return plane;
}

test('a browser is the member whose session it has, with the role and the entitlements of this moment', async () => {
  const plane = await start();
  const { cookie } = await addMember(plane, { email: 'Ann@example.org', role: 'viewer', tier: 'team' });
  expect(await plane.call('GET', '/test/who', { cookie })).toMatchObject({
    status: 200,
    body: { email: 'ann@example.org', org: 'Acme', role: 'viewer', via: 'session', entitlements: 8 },
  });
  expect(await plane.call('POST', '/test/things', { cookie, body: {} })).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  await addMember(plane, { email: 'ann@example.org', role: 'member', tier: 'pro' });
  expect(await plane.call('POST', '/test/things', { cookie, body: {} })).toMatchObject({ status: 403, body: { error: { code: 'entitlement_required' } } });
  await addMember(plane, { email: 'ann@example.org', role: 'member', tier: 'team' });
  expect(await plane.call('POST', '/test/things', { cookie, body: {} })).toMatchObject({ status: 200 });
});

test('who has no session is not signed in, and who has the token of the machine is no member', async () => {
  const plane = await start();
  expect(await plane.call('GET', '/test/who')).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
  expect(await plane.call('GET', '/test/who', { cookie: `hub_session=${'a'.repeat(43)}` })).toMatchObject({ status: 401 });
  const token = await plane.kernel.resolve('webToken').current();
  expect(await plane.call('GET', '/test/who', { token })).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
});
