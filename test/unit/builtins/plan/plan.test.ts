import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type Harness, openEventStream, runTurn, startHarness, startScriptedModel, useEach } from '../../../helpers/in-process.ts';

const builtins = ['plan', 'model-chat-completions'];
const steps = [
  { text: 'Read the code', status: 'done' },
  { text: 'Change it', status: 'active' },
  { text: 'Test it', status: 'pending' },
];
const plan = (items: object[]) => ({ toolCalls: [{ name: 'update_plan', args: { items } }] });

let harness: Harness;
const model = useEach(() => startScriptedModel());
beforeEach(async () => {
  harness = await startHarness({ builtins, environment: model.environment });
});

const sentTail = (index: number): string => String(model.requests[index]?.body.messages.at(-1).content);

test('emits plan updates and returns the plan over HTTP, without an approval', async () => {
  model.push(plan(steps), { text: 'Planned.' });
  const { events, turnId } = await runTurn(harness, 'plan it');
  expect(events.find((event) => event.kind === 'plan_updated')).toMatchObject({ turnId, items: steps });
  expect(events.some((event) => event.kind === 'tool_approval')).toBe(false);
  expect((await harness.call('GET', '/api/plan')).body).toEqual({ items: steps, turnId });
  const { chatId } = (await harness.call('GET', '/api/chats')).body.chats[0];
  expect((await harness.call('GET', `/api/plan?chatId=${chatId}`)).body.items).toHaveLength(3);
  expect((await harness.call('GET', '/api/plan?chatId=chat_none')).status).toBe(404);
});

test('appends the plan to each later request until every step is done', async () => {
  const done = steps.map((step) => ({ ...step, status: 'done' }));
  model.push(plan(steps), { text: 'a' }, plan(done), { text: 'b' });
  await runTurn(harness, 'one');
  expect(sentTail(0)).not.toContain('update_plan');
  expect(sentTail(1)).toContain('[x] Read the code\n[>] Change it\n[ ] Test it');
  await runTurn(harness, 'two');
  expect(sentTail(2)).toContain('[>] Change it');
  expect(sentTail(3)).not.toContain('update_plan changes it');
});

test('gives a fork the plan as of the turn it branches from', async () => {
  model.push({ text: 'a' }, plan(steps), { text: 'b' });
  const { turnId, end } = await runTurn(harness, 'one');
  await runTurn(harness, 'two');
  const planOfFork = async (body: object): Promise<unknown> => {
    const fork = await harness.call('POST', `/api/chats/${String(end['chatId'])}/fork`, body);
    expect(fork.status).toBe(201);
    return (await harness.call('GET', `/api/plan?chatId=${fork.body.chatId}`)).body.items;
  };
  expect(await planOfFork({})).toEqual(steps);
  expect(await planOfFork({ atTurn: turnId })).toEqual([]);
});

test('returns an empty plan before the first chat and creates no chat', async () => {
  expect((await harness.call('GET', '/api/plan')).body).toEqual({ items: [] });
  expect(harness.kernel.resolve('chats').activeId).toBeUndefined();
});

test('clears the plan on an empty list', async () => {
  model.push(plan(steps), plan([]), { text: 'a' });
  const { events } = await runTurn(harness, 'one');
  expect(events.filter((event) => event.kind === 'plan_updated').map((event) => event['items'].length)).toEqual([3, 0]);
  expect((await harness.call('GET', '/api/plan')).body).toEqual({ items: [] });
});

test('rejects a plan with too many items, an empty text or an unknown status', async () => {
  const many = Array.from({ length: 31 }, () => ({ text: 'x', status: 'pending' }));
  model.push(plan(many), plan([{ text: 'x', status: 'later' }]), plan([{ text: '', status: 'done' }]), { text: 'a' });
  const { events } = await runTurn(harness, 'one');
  expect(events.filter((event) => event.kind === 'tool_result').map((event) => event['ok'])).toEqual([false, false, false]);
  expect(events.some((event) => event.kind === 'plan_updated')).toBe(false);
});

test('clears the plan on reset and emits the change', async () => {
  model.push(plan(steps), { text: 'a' }, { text: 'b' });
  await runTurn(harness, 'one');
  const stream = await openEventStream(harness);
  await harness.call('POST', '/api/session/reset', { mode: 'soft' });
  expect(await stream.until('plan_updated')).toMatchObject({ items: [] });
  stream.close();
  expect((await harness.call('GET', '/api/plan')).body).toEqual({ items: [] });
  await runTurn(harness, 'two');
  expect(JSON.stringify(model.requests[2]?.body)).not.toContain('Change it');
});

test('restores the plan after a restart and quarantines a corrupt file', async () => {
  model.push(plan(steps), { text: 'a' }, { text: 'b' });
  await runTurn(harness, 'one');
  const { home, workspace } = harness;
  const { chatId } = (await harness.call('GET', '/api/chats')).body.chats[0];
  await harness.close({ keepFiles: true });
  harness = await startHarness({ builtins, environment: model.environment, home, workspace });
  expect((await harness.call('GET', '/api/plan')).body.items).toEqual(steps);
  await runTurn(harness, 'two');
  expect(sentTail(2)).toContain('[>] Change it');

  const file = join(home, 'chats', chatId, 'plan.json');
  expect(JSON.parse(await readFile(file, 'utf8')).items).toEqual(steps);
  await harness.close({ keepFiles: true });
  await writeFile(file, JSON.stringify({ turnId: 'turn_x', items: [{ text: 7 }, { text: 'kept', status: 'pending' }] }));
  harness = await startHarness({ builtins, environment: model.environment, home, workspace });
  expect((await harness.call('GET', '/api/plan')).body.items).toEqual([]);
  const quarantined = (await readdir(dirname(file))).find((name) => name.startsWith('plan.json.corrupt-'));
  expect(await readFile(join(dirname(file), quarantined ?? ''), 'utf8')).toContain('kept');
});

test('denies update_plan in a sub-agent', async () => {
  const { kernel } = harness;
  const tool = kernel.resolve('tools').find('update_plan');
  const call = {
    callId: 'call_1',
    tool,
    args: { items: [] },
    turn: { isRoot: false, notes: new Map(), isTainted: false, signal: new AbortController().signal },
  };
  expect(await kernel.emitter.call('tool.before', [call as never])).toMatchObject({ deny: expect.stringContaining('a subtask may not') });
});
