// Tests fleet settings of an organisation: applied before the first turn, locked, and removed after sign-out.
import { expect, test } from 'vitest';
import { type Service, useTeam } from '../../helpers/plane-service.ts';

const { plane, admin, member, start } = useTeam({
  builtins: ['hub', 'critic', 'files', 'model-chat-completions', 'team-documents', 'team-fleet'],
  script: [{ text: 'ok', always: true }],
});

const read = async (): Promise<any> => (await plane.call('GET', '/api/team/fleet/config', { cookie: admin.cookie })).body;
async function publish(env: Record<string, string>): Promise<void> {
  const { revision } = await read();
  const body = { base: revision, config: { harness: { env } } };
  expect((await plane.call('PUT', '/api/team/fleet/config', { cookie: admin.cookie, body })).status).toBe(200);
}
const field = async (service: Service, key: string): Promise<any> =>
  (await service.call('GET', '/api/settings')).body.fields.find((one: any) => one.key === key);

test('applies and locks fleet settings in the first turn, below environment variables, and follows changes', async () => {
  await publish({ AGENT_CRITIC_MIN_TOOLS: '9', AGENT_MODEL: 'of-the-fleet', AGENT_MAX_ROUNDS: '7', AGENT_NOBODY: '1' });
  const service = await start({ environment: { AGENT_MAX_ROUNDS: '5', AGENT_MODEL: undefined } });
  await service.say();
  expect(service.model.requests[0]?.body.model).toBe('of-the-fleet');
  expect(await field(service, 'AGENT_CRITIC_MIN_TOOLS')).toMatchObject({ value: 9, source: 'fleet', locked: true });
  expect(await field(service, 'AGENT_MAX_ROUNDS')).toMatchObject({ value: 5, source: 'environment' });
  expect((await service.call('PUT', '/api/settings', { harness: { env: { AGENT_MODEL: 'mine' } } })).body).toMatchObject({ error: { code: 'setting_locked' } });
  await publish({ AGENT_CRITIC_MIN_TOOLS: '3' });
  await expect.poll(async () => (await field(service, 'AGENT_CRITIC_MIN_TOOLS')).value).toBe(3);
  expect(await field(service, 'AGENT_MODEL')).toMatchObject({ locked: false });
});

test('keeps fleet settings offline after a restart', async () => {
  await publish({ AGENT_CRITIC_MIN_TOOLS: '8' });
  const first = await start();
  await first.say();
  const { home } = first;
  await first.close({ keepFiles: true });
  const second = await start({ home }, { ...member, url: 'http://127.0.0.1:9' });
  await second.say();
  expect(await field(second, 'AGENT_CRITIC_MIN_TOOLS')).toMatchObject({ value: 8, source: 'fleet' });
});

test('publishes settings through an admin’s agent after approval and reports a conflict', async () => {
  const { revision } = await read();
  const publishing = (base?: number) => ({
    toolCalls: [{ name: 'fleet_config_publish', args: { env: { AGENT_CRITIC: '1' }, ...(base === undefined ? {} : { base }) } }],
  });
  const apply = { toolCalls: [{ name: 'fleet_config_apply', args: {} }] };
  const service = await start({ script: [publishing(), publishing(0), apply, { text: 'ok' }] }, { ...member, token: admin.token });
  service.kernel.emitter.on('tool_approval', ({ approvalId }) => void service.kernel.resolve('approvals').decide(approvalId, { decision: 'approve' }));
  const results = (await service.say()).filter(({ kind }) => kind === 'tool_result');
  expect(results[0]).toMatchObject({ ok: true, output: expect.stringContaining(`revision ${revision + 1}`) });
  expect(results[1]).toMatchObject({ ok: false, output: expect.stringContaining('Another administrator has changed it') });
  expect(results[2]).toMatchObject({ ok: true, output: expect.stringContaining(`Revision ${revision + 1} of the fleet configuration applies.`) });
  expect((await read()).config).toEqual({ harness: { env: { AGENT_CRITIC: '1' } } });
});

test('restores own settings after sign-out', async () => {
  await publish({ AGENT_CRITIC_MIN_TOOLS: '8' });
  const service = await start();
  await service.say();
  await service.call('POST', '/api/hub/logout', {});
  await expect.poll(async () => (await field(service, 'AGENT_CRITIC_MIN_TOOLS')).source).toBe('default');
});
