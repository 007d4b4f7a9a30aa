// Tests the two enterprise status tools in a turn: as an admin, as a member, and below the tier.
import { afterEach, expect, test } from 'vitest';
import { addMember, startPlane, type AddedMember } from '../../helpers/plane.ts';
import { signedIn, startService, type Service } from '../../helpers/plane-service.ts';
import { useAll } from '../../helpers/use-opened.ts';

const tools = ['enterprise_sso_status', 'enterprise_self_host_status'] as const;
const builtins = ['hub', 'model-chat-completions', 'enterprise-sso', 'enterprise-self-host'];
const plane = useAll(() => startPlane());
let service: Service;
afterEach(async () => void (await service.close()));

async function start(member: AddedMember): Promise<any[]> {
  const calls = tools.map((name) => ({ name, args: {} }));
  service = await startService(await signedIn(plane, member), { builtins, script: [{ toolCalls: calls }, { text: 'Done.' }] });
  await service.kernel.resolve('license').ready();
  await service.kernel.control.idle();
  await service.say();
  const { activeChatId } = (await service.call('GET', '/api/chats')).body;
  const { entries } = (await service.call('GET', `/api/chats/${activeChatId}/transcript`)).body;
  return tools.map((name) => entries.find((one: any) => one.kind === 'tool' && one.name === name));
}
const seenByModel = (): string => JSON.stringify(service.model.requests.at(-1)?.body.messages);

test('returns the single sign-on and control plane status to an admin, without secrets', async () => {
  const owner = await addMember(plane, { email: 'olga@example.org', role: 'owner' });
  const body = { enabled: true, issuer: 'https://idp.example', clientId: 'hub-client', clientSecret: 'the secret of the client', domains: [] };
  const set = await plane.call('PUT', `/api/orgs/${owner.member.org.id}/sso`, { cookie: owner.cookie, body });
  expect(set.status).toBe(200);
  const [sso, host] = await start(await addMember(plane, { email: 'adam@example.org', role: 'admin' }));
  expect(sso).toMatchObject({ ok: true });
  expect(JSON.parse(sso.output)).toEqual({ enabled: true, issuer: 'https://idp.example', clientId: 'hub-client' });
  const status = JSON.parse(host.output) as Record<string, unknown>;
  expect(Object.keys(status)).toEqual(expect.arrayContaining(['version', 'nodes', 'database', 'bus']));
  expect(seenByModel()).toContain('https://idp.example');
  expect(seenByModel()).not.toContain('the secret of the client');
});

test('reports the required admin role to a member and completes the turn', async () => {
  for (const entry of await start(await addMember(plane, { email: 'mia@example.org', role: 'member' }))) {
    expect(entry).toMatchObject({ ok: false });
    expect(entry.output).toMatch(/The control plane refused the request: .*permission .* \(role admin, /);
  }
  expect(service.stream.events.at(-1)).toMatchObject({ kind: 'turn_end', reason: 'done' });
});

test('offers no enterprise tools below the tier', async () => {
  const entries = await start(await addMember(plane, { email: 'tim@example.org', role: 'admin', tier: 'team', org: 'Small' }));
  expect(JSON.stringify(service.model.requests[0]?.body.tools ?? [])).not.toContain('enterprise_');
  for (const entry of entries) expect(entry).toMatchObject({ ok: false });
  const { plugins } = (await service.call('GET', '/api/plugins')).body;
  for (const name of ['enterprise-sso', 'enterprise-self-host']) {
    expect(plugins.find((one: any) => one.name === name)).toMatchObject({ state: 'locked', entitlement: name.replace('-', '.').replaceAll('-', '_') });
  }
});
