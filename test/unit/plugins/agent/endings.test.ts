import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startHarness, startScriptedModel } from '../../../helpers/in-process.ts';
import { addTools, createGate, kindsOf, ownTool, useAgentBench } from './agent-bench.ts';

const open = useAgentBench();
const never = (): Promise<never> => new Promise(() => undefined);

test('a turn over its time limit ends with its partial results', async () => {
  const limit = 3_456_789;
  const limits: (() => void)[] = [];
  const { setTimeout: real } = globalThis;
  // The test controls the limit timer: it fires after the first model output.
  const watched = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms?: number, ...rest: unknown[]) => {
    if (ms === limit) limits.push(work);
    return real(work, ms, ...rest);
  }) as never);
  const bench = await open(undefined, { environment: { AGENT_SEND_TIMEOUT_MS: String(limit) } });
  bench.model.push({ text: ['so ', 'far'], stallAfter: 1 }, { text: 'next' });
  const { turnId } = (await bench.send('go')).body;
  await bench.stream.until('text');
  expect(limits).toHaveLength(1);
  limits[0]?.();
  expect(await bench.ended(turnId)).toMatchObject({
    reason: 'round_limit',
    error: { code: 'turn_timeout', message: expect.stringContaining('AGENT_SEND_TIMEOUT_MS') },
  });
  await bench.ended((await bench.send('and now')).body.turnId);
  expect(bench.said(1).map((message) => message.content)).toEqual(['go', 'so ', 'and now']);
  watched.mockRestore();
});

test('an unexpected fault ends the turn with an error and is logged', async () => {
  const bench = await open();
  const tap = bench.emitter.tap('prompt.build', () => ({ nonsense: true }) as never);
  const { turnId } = (await bench.send('go')).body;
  expect(await bench.ended(turnId)).toMatchObject({ reason: 'error', error: { code: 'unexpected', message: expect.stringContaining('The turn failed') } });
  expect(bench.logs.join()).toContain(`error agent: turn ${turnId} failed`);
  void tap.dispose();
  bench.model.push({ text: 'fine' });
  expect(await bench.ended((await bench.send('again')).body.turnId)).toMatchObject({ reason: 'done' });
});

test('an unload ends the running turn and its queue once, in order, and runs no tool afterwards', async () => {
  let ran = 0;
  const own = { manifest: { name: 'own' }, register: addTools(ownTool('risky', () => String(++ran), { effects: ['execute'] })) };
  const model = await startScriptedModel([{ toolCalls: [{ name: 'risky' }, { name: 'risky' }] }, { toolCalls: [{ name: 'risky' }] }]);
  const place = { builtins: ['model-chat-completions'], listen: false, environment: model.environment };
  const harness = await startHarness({ ...place, modules: { own: own as never } });
  const asked = createGate();
  harness.kernel.emitter.on('tool_approval', () => asked.open());
  const { submit } = harness.kernel.resolve('turns');
  const first = await submit({ text: 'go' });
  await asked.opened;
  const queued = await submit({ text: 'later', whenBusy: 'queue' });
  expect(await harness.close({ keepFiles: true })).toEqual([]);
  expect(await readdir(join(harness.home, 'running'))).toEqual([]);
  const next = await startHarness({ ...place, home: harness.home, workspace: harness.workspace });
  const journal = [];
  for await (const event of next.kernel.resolve('eventLog').read(first.chatId)) journal.push(event);
  await next.close();
  await harness.close();
  await model.close();
  for (const { turnId } of [first, queued]) expect(kindsOf(journal, turnId).filter((kind) => /^turn_/.test(kind))).toEqual(['turn_start', 'turn_end']);
  expect(kindsOf(journal, first.turnId).at(-1)).toBe('turn_end');
  expect([ran, model.requests.length]).toEqual([0, 1]);
});

test('a tool whose plugin unloads during the approval does not run', async () => {
  let ran = 0;
  const other = { manifest: { name: 'other' }, register: addTools(ownTool('risky', () => String(++ran), { effects: ['execute'] })) };
  const bench = await open(undefined, { modules: { other: other as never } });
  bench.model.push({ toolCalls: [{ name: 'risky' }] }, { text: 'so be it' });
  const { turnId } = (await bench.send('go')).body;
  const { approvalId } = await bench.stream.until('tool_approval');
  await bench.kernel.control.setDisabled(['other']);
  expect((await bench.call('POST', '/api/approve', { approvalId, decision: 'approve' })).status).toBe(200);
  expect(await bench.ended(turnId)).toMatchObject({ reason: 'done' });
  expect(bench.said(1).at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('was removed before the call ran') });
  expect(ran).toBe(0);
});

test('a finished turn leaves no timer, wait or approval behind, after many turns', async () => {
  const bench = await open(addTools(ownTool('poke', () => 'poked')));
  const run = async (): Promise<void> => {
    bench.model.push({ text: 'x', toolCalls: [{ name: 'poke' }] }, { status: 500 }, { text: 'done' });
    await bench.ended((await bench.send('go')).body.turnId);
    await bench.idle();
  };
  await run();
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  for (let turn = 0; turn < 15; turn++) await run();
  expect(timers()).toBeLessThanOrEqual(before + 2);
  expect(bench.logs.filter((line) => /MaxListeners|leak/i.test(line))).toEqual([]);
});

test('a slow turn.after tap delays neither an abort nor the next message', async () => {
  const bench = await open();
  bench.emitter.tap('turn.after', never);
  bench.model.push({ text: ['a ', 'b'], stallAfter: 1 }, { text: 'two' });
  await bench.send('one');
  await bench.stream.until('text');
  expect((await bench.abort()).ms).toBeLessThan(1_000);
  expect(await bench.ended((await bench.send('two')).body.turnId)).toMatchObject({ reason: 'done' });
});

test('after a failed attempt the status shows that the turn waits for the model again', async () => {
  const bench = await open();
  const going = createGate();
  bench.model.push({ status: 500 }, { text: ['a ', 'b'], stallAfter: 1, until: going.opened });
  const { turnId } = (await bench.send('go')).body;
  await bench.stream.until('text');
  expect((await bench.call('GET', '/api/status')).body.chats).toMatchObject([{ waitingFor: 'model' }]);
  going.open();
  await bench.ended(turnId);
});

test('a start logs an unreadable chat, leaves its marker for the next start, and does not end running turns', async () => {
  const bench = await open(undefined, { listen: true });
  bench.model.push({ text: ['still ', 'here'], stallAfter: 1 });
  const { turnId, chatId } = (await bench.send('go')).body;
  await bench.stream.until('text');
  const running = join(bench.home, 'running');
  const gone = 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV';
  await mkdir(join(running, 'not-a-chat'));
  await writeFile(join(running, gone), '');
  await mkdir(join(bench.home, 'chats', gone, 'session.jsonl'), { recursive: true });
  await bench.kernel.emitter.call('app.start', []);
  expect((await readdir(running)).sort()).toEqual([chatId, gone, 'not-a-chat'].sort());
  expect(bench.logs.join()).toContain(`could not end the interrupted turns of ${gone}`);
  expect((await bench.journal()).filter((event) => event.kind === 'turn_end')).toEqual([]);
  await bench.abort();
  expect(await bench.ended(turnId)).toMatchObject({ reason: 'aborted' });
});
