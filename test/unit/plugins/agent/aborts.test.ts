import { emptyTranscript, reduce } from 'agent-harness/transcript';
import { expect, test } from 'vitest';
import type { StreamEvent } from '../../../helpers/event-stream.ts';
import { addTools, type AgentBench, createGate, ownTool, useAgentBench } from './agent-bench.ts';

const open = useAgentBench();
const never = (): Promise<never> => new Promise(() => undefined);

async function expectAborted(bench: AgentBench, turnId: string, withinMs = 2_000): Promise<{ body: any; events: StreamEvent[] }> {
  const { status, body, ms } = await bench.abort();
  expect([status, body.turnId]).toEqual([200, turnId]);
  expect(ms).toBeLessThan(withinMs);
  expect(await bench.ended(turnId)).toMatchObject({ reason: 'aborted' });
  expect((await bench.call('GET', '/api/status')).body.busy).toBe(false);
  expect((await bench.call('GET', '/api/pending?chatId=all')).body).toEqual({ approvals: [], questions: [] });
  const journal = await bench.journal();
  const ofTurn = journal.filter((event) => event.turnId === turnId);
  expect(ofTurn.filter((event) => event.kind === 'turn_end')).toHaveLength(1);
  const calls = ofTurn.filter((event) => event.kind === 'tool_start' && event['argsText'] !== undefined).map((event) => event['callId']);
  expect(ofTurn.filter((event) => event.kind === 'tool_result').map((event) => event['callId'])).toEqual(calls);
  bench.model.push({ text: 'next' });
  expect(await bench.ended((await bench.send('and now')).body.turnId)).toMatchObject({ reason: 'done' });
  const said = bench.said(bench.model.requests.length - 1);
  const asked = said.flatMap((message) => (message.tool_calls ?? []).map((call: any) => call.id));
  expect(said.filter((message) => message.role === 'tool').map((message) => message.tool_call_id)).toEqual(asked);
  expect((await bench.journal()).slice(journal.length).filter((event) => event.turnId === turnId)).toEqual([]);
  return { body, events: bench.stream.events };
}

test('aborts a turn before the first byte of the model', async () => {
  const bench = await open();
  bench.model.push({ until: never() });
  const { turnId } = (await bench.send('go')).body;
  await bench.model.request(0);
  await expectAborted(bench, turnId, 1_000);
  expect(await bench.model.requests[0]?.ended).toBe('gone');
});

test('aborts a turn that waits for a provider retry', async () => {
  const bench = await open(undefined, { environment: { AGENT_RETRY_MAX_DELAY_MS: '30000', AGENT_RETRY_WALL_TIME_MS: '90000' } });
  bench.model.push({ status: 500, headers: { 'retry-after': '20' } });
  const { turnId } = (await bench.send('go')).body;
  await bench.stream.until('provider_retry');
  expect((await bench.call('GET', '/api/status')).body.chats).toMatchObject([{ waitingFor: 'retry' }]);
  const { body } = await expectAborted(bench, turnId, 1_000);
  expect(body.stopped).toContain('retry');
});

test.each([
  ...['turn.before', 'turn.intercept', 'round.before', 'prompt.build', 'model.request', 'round.after', 'turn.finalize', 'tool.prepare', 'tool.before'],
  'tool.after',
] as const)('aborts a turn whose tap hangs in %s', async (hook) => {
  const bench = await open(addTools(ownTool('poke', () => 'poked')));
  bench.model.push({ toolCalls: [{ name: 'poke' }, { name: 'poke' }] });
  const hangs = createGate();
  const tap = bench.emitter.tap(hook, () => {
    hangs.open();
    return never();
  });
  if (hook === 'turn.finalize') bench.model.push({ text: 'done' });
  const { turnId } = (await bench.send('go')).body;
  await hangs.opened;
  void tap.dispose();
  await expectAborted(bench, turnId, 1_000);
});

test('aborts a turn that waits for approval, and a late approval runs no tool', async () => {
  let ran = 0;
  const bench = await open(addTools(ownTool('risky', () => String(++ran), { effects: ['execute'] })));
  bench.model.push({ toolCalls: [{ name: 'risky' }, { name: 'risky' }] });
  const { turnId } = (await bench.send('go')).body;
  const { approvalId } = await bench.stream.until('tool_approval');
  await expectAborted(bench, turnId, 1_000);
  expect(await bench.call('POST', '/api/approve', { approvalId, decision: 'approve' })).toMatchObject({ status: 409 });
  expect(await bench.stream.until('approval_decision')).toMatchObject({ approvalId, decision: 'reject', by: 'abort' });
  expect(ran).toBe(0);
});

test('aborts a turn that waits for an answer, and rejects a late answer', async () => {
  const bench = await open();
  bench.model.push({ toolCalls: [{ name: 'ask_user', args: { prompt: 'Which?' } }] });
  const { turnId } = (await bench.send('go')).body;
  const { askId } = await bench.stream.until('ask_user');
  await expectAborted(bench, turnId, 1_000);
  expect((await bench.call('POST', '/api/answer', { askId, answer: 'this' })).status).toBe(409);
});

test('aborts running tools, keeps their partial output, and abandons an unresponsive tool within 2 s', async () => {
  let talk = (_: string): void => undefined;
  const bench = await open((registry) => {
    const obey = (_: unknown, { signal }: { signal: AbortSignal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('half of it')));
    const ignore = (_: unknown, { progress }: { progress: (note: string) => void }) => ((talk = progress), never());
    addTools(
      ownTool('obeys', obey, { replay: 'pure' }),
      ownTool('ignores', ignore, { replay: 'pure' }),
      ownTool('waits', () => 'never begins'),
    )(registry);
  });
  bench.model.push({ toolCalls: [{ name: 'obeys' }, { name: 'ignores' }, { name: 'waits' }] });
  const { turnId } = (await bench.send('go')).body;
  while ((await bench.call('GET', '/api/status')).body.chats[0]?.waitingFor !== 'tool') await new Promise(setImmediate);
  const { events } = await expectAborted(bench, turnId, 2_100);
  talk('still here');
  const outputs = events.filter((event) => event.kind === 'tool_result').map((event) => event['output']);
  expect(outputs[0]).toContain('half of it');
  expect(outputs[1]).toBe('ignores was stopped because the turn was aborted.');
  expect(outputs[2]).toContain('ended before the call ran');
  const states = reduce(emptyTranscript, events as never).state.entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.state] : []));
  expect(states).toEqual(['stopped', 'stopped', 'stopped']);
  expect(events.filter((event) => event.kind === 'tool_progress')).toEqual([]);
});

test('an adapter that ignores the abort does not block, and its later text is dropped', async () => {
  let say = (_: string): void => undefined;
  const adapter = {
    stream: (_request: unknown, _route: unknown, sink: { text(delta: string): void }) => {
      say = (delta) => sink.text(delta);
      say('so far');
      return never();
    },
  };
  const bench = await open((registry) => registry.add('model_adapter', { name: 'deaf', wire: 'messages', load: async () => adapter }), {
    environment: { AGENT_MODEL_WIRE: 'messages' },
  });
  const { turnId } = (await bench.send('go')).body;
  await bench.stream.until('text');
  const { ms } = await bench.abort();
  expect(ms).toBeLessThan(2_000);
  say(' and on');
  await bench.ended(turnId);
  const texts = (await bench.journal()).filter((event) => event.kind === 'text').map((event) => event['delta']);
  expect(texts).toEqual(['so far']);
});

test('two concurrent aborts both return the same turn', async () => {
  const bench = await open();
  bench.model.push({ text: ['a ', 'b'], stallAfter: 1 });
  const { turnId } = (await bench.send('go')).body;
  await bench.stream.until('text');
  const { abort } = bench.kernel.resolve('turns');
  expect(await Promise.all([abort(), abort()])).toMatchObject([{ turnId }, { turnId }]);
  await expect(abort()).rejects.toMatchObject({ code: 'AGENT_ERR_NO_TURN' });
});
