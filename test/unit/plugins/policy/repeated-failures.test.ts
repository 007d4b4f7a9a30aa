import { beforeEach, expect, test } from 'vitest';
import type { Turn } from 'agent-harness/plugins/agent';
import { blockedRoundLimit, failureLimit } from '../../../../plugins/policy/repeated-failures.ts';
import { runTurn, startHarness, startScriptedModel } from '../../../helpers/in-process.ts';
import { createWorld, fakeTool } from '../tools/fake-world.ts';
import { useEach } from '../../../helpers/use-opened.ts';

let turn: Turn;
const world = useEach(() => createWorld({ tools: [fakeTool('probe'), fakeTool('edit', { effects: ['write'], undo: 'checkpoint' })] }));
beforeEach(async () => {
  turn = world.turn();
});

const end = async (ok: boolean, args: Record<string, unknown>, name = 'probe'): Promise<unknown> =>
  world.kernel.emitter.call('tool.after', [ok ? { ok, output: '' } : { ok, error: 'no' }, world.toolCall(name, args, { turn })]);
const verdict = (args: Record<string, unknown>, changes: { turn?: Turn } = {}): Promise<unknown> =>
  world.guard(world.toolCall('probe', args, { turn, ...changes }));
const refused = { deny: expect.stringContaining('failed 3 times'), hint: expect.stringContaining('probe') };

test('a call that failed three times is rejected for the turn, in any argument order', async () => {
  for (let times = 0; times < 2; times++) await end(false, { a: 1, b: { c: 1, d: 2 } });
  expect(await verdict({ a: 1, b: { c: 1, d: 2 } })).toBeUndefined();
  await end(false, { b: { d: 2, c: 1 }, a: 1 });
  expect(await verdict({ b: { d: 2, c: 1 }, a: 1 })).toEqual(refused);
  expect(await verdict({ a: 1, b: { c: 1, d: 2 } })).toEqual(refused);
});

test('other calls of the tool and the same call in the next turn still run', async () => {
  for (let times = 0; times < 3; times++) await end(false, { a: 1 });
  expect(await verdict({ a: 2 })).toBeUndefined();
  expect(await verdict({ a: 1 }, { turn: world.turn() })).toBeUndefined();
});

test('the count restarts after a success and after a change', async () => {
  const failTwice = async (): Promise<void> => {
    await end(false, { a: 1 });
    await end(false, { a: 1 });
  };
  await failTwice();
  await end(true, { a: 1 });
  await failTwice();
  await end(true, {}, 'edit');
  await failTwice();
  expect(await verdict({ a: 1 })).toBeUndefined();
  await end(false, { a: 1 });
  expect(await verdict({ a: 1 })).toEqual(refused);
});

test('a turn whose model repeats only blocked calls ends after five rounds, and the next turn runs', async () => {
  const same = { toolCalls: [{ name: 'read_file', args: { path: 'none.txt' } }] };
  const model = await startScriptedModel([...Array.from({ length: failureLimit + blockedRoundLimit }, () => same), { text: 'Hello.' }]);
  const environment = { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key', AGENT_MODEL: 'scripted' };
  const harness = await startHarness({ builtins: ['model-chat-completions', 'files'], environment });
  const { end: stuck } = await runTurn(harness, 'Read it');
  expect(stuck).toMatchObject({ reason: 'error', error: { code: 'repeated_calls', message: expect.stringContaining('Send a message') } });
  expect(model.requests).toHaveLength(failureLimit + blockedRoundLimit);
  expect((await runTurn(harness, 'Stop that')).end).toMatchObject({ reason: 'done' });
});

test('a turn whose model also makes other calls does not end', async () => {
  const same = { name: 'read_file', args: { path: 'none.txt' } };
  const rounds = Array.from({ length: 3 * blockedRoundLimit }, () => ({ toolCalls: [same, { name: 'list_dir', args: {} }] }));
  const model = await startScriptedModel([...rounds, { text: 'Done.' }]);
  const environment = { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key', AGENT_MODEL: 'scripted' };
  const harness = await startHarness({ builtins: ['model-chat-completions', 'files'], environment });
  expect((await runTurn(harness, 'Read it')).end).toMatchObject({ reason: 'done' });
});
