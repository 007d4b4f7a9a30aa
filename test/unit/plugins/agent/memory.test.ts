import { expect, test } from 'vitest';
import { runTurn, startHarness } from '../../../helpers/in-process.ts';
import { addTools, type AgentBench, createGate, ownTool, useAgentBench } from './agent-bench.ts';

const open = useAgentBench();
const short = (messages: readonly any[]): string[] => messages.map((message) => `${message.role}: ${message.content}`);

async function saidAfterRestart(bench: AgentBench): Promise<any[]> {
  bench.stream.close();
  await bench.close({ keepFiles: true });
  const next = await startHarness({ home: bench.home, workspace: bench.workspace, builtins: ['model-chat-completions'], environment: bench.model.environment });
  bench.model.push({ text: 'fine' });
  await runTurn(next, 'still there?');
  await next.close();
  return bench.said(bench.model.requests.length - 1);
}

test('a steer unread by the model follows the reply, also after a restart', async () => {
  const bench = await open();
  const speak = createGate();
  bench.model.push({ text: 'to the first', until: speak.opened }, { text: 'to both' });
  const { turnId } = (await bench.send('one')).body;
  await bench.model.request(0);
  expect((await bench.send('two', { whenBusy: 'steer' })).body.turnId).toBe(turnId);
  speak.open();
  await bench.ended(turnId);
  const live = short([...bench.said(1), { role: 'assistant', content: 'to both' }]);
  expect(live).toEqual(['user: one', 'assistant: to the first', 'user: two', 'assistant: to both']);
  expect(short(await saidAfterRestart(bench))).toEqual([...live, 'user: still there?']);
});

test('a retry without output leaves the previous reply intact', async () => {
  const bench = await open();
  bench.model.push({ text: 'first half', finish: 'length' }, { status: 500 }, { text: 'second half' });
  await bench.ended((await bench.send('go')).body.turnId);
  expect(short(await saidAfterRestart(bench))).toEqual(['user: go', 'assistant: first halfsecond half', 'user: still there?']);
});

test('results of parallel calls follow the order of the reply, live and after a restart', async () => {
  const bench = await open((registry) => {
    const pure = { replay: 'pure' };
    addTools(
      ownTool('slow', () => new Promise((resolve) => setTimeout(() => resolve('slow'), 40)), pure),
      ownTool('quick', () => 'quick', pure),
    )(registry);
  });
  bench.model.push({ toolCalls: [{ name: 'slow' }, { name: 'quick' }] }, { text: 'ok' });
  await bench.ended((await bench.send('go')).body.turnId);
  expect(bench.stream.events.filter((event) => event.kind === 'tool_result').map((event) => event['name'])).toEqual(['quick', 'slow']);
  expect(short(bench.said(1).slice(2))).toEqual(['tool: slow', 'tool: quick']);
  expect((await saidAfterRestart(bench)).slice(0, 4)).toEqual(bench.said(1));
});

test('an empty reply is not resent, and send-back text is included only until its turn ends', async () => {
  const bench = await open(addTools(ownTool('poke', () => 'poked')));
  bench.emitter.tap('turn.finalize', (answer, turn) => (turn.text === 'go' ? { ...answer, sendBack: 'Check it.' } : undefined));
  bench.model.push({ reasoning: 'hm', text: ' ' }, { text: 'so' }, { toolCalls: [{ name: 'poke' }] }, { text: 'checked' }, { text: 'on' });
  await bench.ended((await bench.send('go')).body.turnId);
  await bench.ended((await bench.send('on')).body.turnId);
  const tails = bench.model.requests.map((request) => request.body.messages.filter((message: any) => message.content?.includes('Check it.')).length);
  expect(tails).toEqual([0, 0, 1, 1, 0]);
  const note = { role: 'user', content: '<system-note>\nCheck it.\n</system-note>' };
  expect(bench.said(1)).toEqual([{ role: 'user', content: 'go' }]);
  expect(bench.said(2)).toEqual([...bench.said(1), { role: 'assistant', content: 'so' }, note]);
  expect((await saidAfterRestart(bench)).slice(0, 6)).toEqual([...bench.said(4), { role: 'assistant', content: 'on' }]);
});

test('the conversation of a running turn stays loaded for the next message, however many chats are busy', async () => {
  const bench = await open();
  const chats = bench.kernel.resolve('chats');
  const speak = createGate();
  bench.model.push({ text: 'at last', until: speak.opened, when: (request) => JSON.stringify(request.body).includes('patience') });
  bench.model.push({ text: 'ok', always: true });
  const { chatId } = await chats.active();
  const first = (await bench.send('patience', { chatId })).body;
  await bench.model.request(0);
  for (let at = 0; at < 70; at++) {
    const other = await chats.create({ activate: false });
    await bench.ended((await bench.send('hi', { chatId: other.chatId })).body.turnId);
  }
  const second = (await bench.send('and?', { chatId, whenBusy: 'queue' })).body;
  speak.open();
  await bench.ended(first.turnId);
  await bench.ended(second.turnId);
  await bench.ended((await bench.send('so?', { chatId })).body.turnId);
  expect(short(bench.said(bench.model.requests.length - 1))).toEqual(['user: patience', 'assistant: at last', 'user: and?', 'assistant: ok', 'user: so?']);
});

test('opening a chat completes calls without a result in the journal as interrupted', async () => {
  const bench = await open();
  bench.model.push({ text: 'hi' });
  const { turnId, chatId } = (await bench.send('go')).body;
  await bench.ended(turnId);
  bench.stream.close();
  await bench.close({ keepFiles: true });
  const { appendFile } = await import('node:fs/promises');
  const lost = { chatId, turnId: 'turn_01ARZ3NDEKTSV4RRFFQ69G5FAV', at: '2026-01-01T00:00:00.000Z' };
  const lines = [
    { id: 900_001, kind: 'message_accepted', ...lost, messageId: 'msg_a', text: 'do it', attachments: [] },
    { id: 900_002, kind: 'turn_start', ...lost, messageId: 'msg_a', model: 'm' },
    { id: 900_003, kind: 'tool_start', ...lost, callId: 'call_a', messageId: 'msg_b', name: 'run_command', argsText: '{}', args: {} },
  ];
  await appendFile(`${bench.home}/chats/${chatId}/session.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(short((await saidAfterRestart(bench)).slice(-3))).toEqual([expect.stringContaining('tool: Interrupted'), 'assistant: Noted.', 'user: still there?']);
});
