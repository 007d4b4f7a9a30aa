// Tests connection loss inside transactions of the people module: status 503 and a complete rollback.
import type { PluginModule, Registry } from 'agent-harness/kernel';
import { expect, onTestFinished, test } from 'vitest';
import type { Query } from '../../../../builtins/control-plane/plane-database/contract.ts';
import type {} from '../../../../builtins/control-plane/plane-people/contract.ts';
import { hasTool } from '../../../helpers/required-tools.ts';
import { addMember, startPlane } from '../../../helpers/plane.ts';

/** Module that terminates the database connection inside transactions of people while it is armed. */
function createSaboteur(): { readonly module: PluginModule<never>; arm(isArmed: boolean): void } {
  let isArmed = false;
  const strike = async (query: Query): Promise<void> => {
    if (isArmed) await query.query('select pg_terminate_backend(pg_backend_pid())');
  };
  const module = {
    manifest: { name: 'saboteur', requires: ['people'] },
    register(registry: Registry<{ name: string; requires: readonly ['people'] }>): void {
      registry.add('plan_part', { name: 'saboteur', apply: (_, query) => strike(query) });
      registry.add('credential_source', {
        via: 'license',
        ended: () => Promise.resolve([]),
        list: () => Promise.resolve([]),
        async end(_, __, query) {
          await strike(query);
          return [];
        },
      });
    },
  } as unknown as PluginModule<never>;
  return { module, arm: (value) => void (isArmed = value) };
}

test.skipIf(!hasTool('PostgreSQL'))('rolls back when the connection is lost inside a transaction and serves the next request', async () => {
  const { module: saboteur, arm } = createSaboteur();
  const plane = await startPlane({ modules: { saboteur } });
  onTestFinished(() => plane.close());
  const ann = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
  const ben = await addMember(plane, { email: 'ben@example.org', role: 'member' });
  const path = `/api/orgs/${ann.member.org.id}`;
  const acts = [
    () => plane.call('PUT', `${path}/plan`, { cookie: ann.cookie, body: { tier: 'pro', seats: 7 } }),
    () => plane.call('DELETE', `${path}/members/${ben.member.person.id}`, { cookie: ann.cookie }),
    () => plane.call('POST', '/api/account/sign-out', { cookie: ben.cookie, body: {} }),
  ];
  const look = async (): Promise<unknown> => [
    (await plane.call('GET', '/api/account/me', { cookie: ben.cookie })).body,
    await plane.kernel.resolve('database').query('select * from membership order by user_id'),
    await plane.kernel.resolve('database').query(`select count(*) from audit_event where kind in ('plan_changed', 'member_removed')`),
  ];
  const before = await look();
  arm(true);
  for (const act of acts) expect(await act()).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
  arm(false);
  expect(await look()).toEqual(before);
  for (const act of acts.slice(0, 2)) expect(await act()).toMatchObject({ status: 200 });
  expect(await look()).not.toEqual(before);
});
