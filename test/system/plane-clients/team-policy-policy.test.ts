// Tests that an organisation policy applies on the machines of its members, with a real control plane.
import { expect, test } from 'vitest';
import { type Service, useTeam } from '../../helpers/plane-service.ts';

const builtins = ['hub', 'files', 'shell', 'model-chat-completions', 'team-documents', 'team-policy', 'budgets'];
const { plane, admin, member, start } = useTeam({ builtins });
const nowhere = 'http://127.0.0.1:9';

async function publish(policy: object): Promise<number> {
  const { revision } = (await plane.call('GET', '/api/team/policy', { cookie: admin.cookie })).body;
  const { status, body } = await plane.call('PUT', '/api/team/policy', { cookie: admin.cookie, body: { base: revision, policy } });
  expect(status).toBe(200);
  return body.revision as number;
}
const command = { toolCalls: [{ name: 'run_command', args: { command: 'echo done' } }] };
const list = { toolCalls: [{ name: 'list_dir', args: {} }] };
const write = { toolCalls: [{ name: 'write_file', args: { path: 'a.txt', content: 'a' } }] };
const of = (events: readonly any[], kind: string): any[] => events.filter((event) => event.kind === kind);
const stateOf = (service: Service): Promise<any> => service.call('GET', '/api/team/policy').then(({ body }) => body);

test('blocks a tool despite auto-approval and names the policy in the events', async () => {
  const revision = await publish({ blockedTools: ['run_*'] });
  const service = await start({ environment: { AGENT_YOLO: '1' }, script: [command, { text: 'ok' }] });
  const events = await service.say();
  expect(of(events, 'tool_result')).toMatchObject([
    { ok: false, output: expect.stringContaining(`The policy of Acme, revision ${revision}, blocks run_command.`) },
  ]);
  expect(of(events, 'approval_decision')).toMatchObject([{ decision: 'reject', by: 'rule', source: `the policy of Acme, revision ${revision}` }]);
  const offered = service.model.requests[0]?.body.tools.map((tool: any) => tool.function.name) as string[];
  expect([offered.includes('run_command'), offered.includes('list_dir')]).toEqual([false, true]);
  expect(await stateOf(service)).toMatchObject({
    state: 'held',
    revision,
    orgName: 'Acme',
    rules: { blockedTools: [{ pattern: 'run_*', from: 'everybody' }] },
  });
});

test('asks for approval of tools that the policy lists, despite auto-approval', async () => {
  await publish({ groups: [{ name: 'Members', match: { roles: ['member'] }, forcedApprovals: ['write_file'] }] });
  const service = await start({ environment: { AGENT_YOLO: '1' }, script: [command, write, { text: 'ok' }] });
  const said = service.say();
  const asked = await service.stream.until('tool_approval');
  expect(asked).toMatchObject({ name: 'write_file', source: expect.stringContaining("for the group 'Members'") });
  await service.call('POST', '/api/approve', { approvalId: asked['approvalId'], decision: 'approve' });
  expect(of(await said, 'tool_result').map(({ ok }) => ok)).toEqual([true, true]);
});

test('applies a policy change within two seconds at runtime', async () => {
  await publish({});
  const service = await start({ environment: { AGENT_YOLO: '1' }, script: [command, { text: 'ok' }, command, { text: 'ok' }] });
  expect(of(await service.say(), 'tool_result')).toMatchObject([{ ok: true }]);
  const revision = await publish({ blockedTools: ['run_command'] });
  await expect.poll(async () => (await stateOf(service)).revision, { interval: 20, timeout: 2_000 }).toBe(revision);
  expect(of(await service.say(), 'tool_result')).toMatchObject([{ ok: false }]);
});

test('enforces allowed models and lists spending caps', async () => {
  await publish({ allowedModels: ['small/*'], spendingCaps: { perDay: 3, purposes: { memory: 1 } } });
  const service = await start({ script: [{ text: 'ok', always: true }] });
  const [end] = of(await service.say(), 'turn_end');
  expect(end).toMatchObject({ reason: 'error', error: { code: 'model_blocked', message: expect.stringContaining('only small/*') } });
  expect(service.model.requests).toEqual([]);
  const { caps } = (await service.call('GET', '/api/usage')).body;
  const own = caps
    .filter(({ name }: { name: string }) => name.startsWith('organisation'))
    .map(({ name, limit }: { name: string; limit: number }) => [name, limit]);
  expect(own).toEqual([
    ['organisation: day', 3],
    ['organisation: memory', 1],
  ]);
  await publish({ allowedModels: ['scripted', 'small/*'] });
  await expect.poll(async () => (await stateOf(service)).rules.allowedModels[0].patterns.length).toBe(2);
  expect(of(await service.say(), 'turn_end')).toMatchObject([{ reason: 'done' }]);
});

test('keeps the last policy offline after a restart and refuses to disable its plugins', async () => {
  const revision = await publish({ blockedTools: ['run_command'] });
  const first = await start();
  await first.say();
  const { home } = first;
  await first.close({ keepFiles: true });
  const second = await start({ home, script: [command, { text: 'ok' }] }, { ...member, url: nowhere });
  expect(of(await second.say(), 'tool_result')).toMatchObject([{ ok: false, output: expect.stringContaining(`revision ${revision}`) }]);
  for (const name of ['team-policy', 'team-documents'])
    expect(await second.call('PUT', `/api/plugins/${name}`, { disabled: true })).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
});

test('allows only reading tools on a first start without the control plane', async () => {
  const service = await start({ environment: { AGENT_YOLO: '1' }, script: [list, write, command, { text: 'ok' }] }, { ...member, url: nowhere });
  const events = await service.say();
  expect(of(events, 'tool_result').map(({ ok }) => ok)).toEqual([true, false, false]);
  expect(of(events, 'tool_result')[1].output).toContain('not available yet');
});

test('lifts the policy after sign-out', async () => {
  await publish({ blockedTools: ['run_command'] });
  const service = await start({ environment: { AGENT_YOLO: '1' }, script: [command, { text: 'ok' }, command, { text: 'ok' }] });
  expect(of(await service.say(), 'tool_result')).toMatchObject([{ ok: false }]);
  await service.call('POST', '/api/hub/logout', {});
  await service.kernel.control.idle();
  expect(of(await service.say(), 'tool_result')).toMatchObject([{ ok: true }]);
});

test('allows only reading tools while the policy is unavailable', async () => {
  const script = [list, write, { text: 'ok' }];
  const environment = { AGENT_YOLO: '1' };
  const without = builtins.filter((name) => name !== 'team-documents');
  const service = await start({ builtins: without, environment, script });
  expect(of(await service.say(), 'tool_result')).toMatchObject([{ ok: true }, { ok: false, output: expect.stringContaining("The plugin 'team-policy'") }]);
  const stuck = {
    manifest: { name: 'stuck', provides: ['teamDocuments'] },
    register: (registry: any) => void registry.provide('teamDocuments', () => ({ hold: () => new Promise(() => undefined) })),
  };
  const waiting = await start({ builtins: without, environment, script, modules: { stuck: stuck as never } });
  expect(of(await waiting.say(), 'tool_result')).toMatchObject([{ ok: true }, { ok: false, output: expect.stringContaining('is not available yet') }]);
});
