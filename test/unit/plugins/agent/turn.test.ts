import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runTurn } from '../../../helpers/event-stream.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { startScriptedModel, type ScriptedModel } from '../../../helpers/scripted-model.ts';

let model: ScriptedModel;
let harness: Harness;
beforeEach(async () => {
  model = await startScriptedModel([]);
  harness = await startHarness({ environment: { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key', AGENT_MODEL: 'scripted' } });
});
afterEach(async () => {
  expect(await harness.close()).toEqual([]);
  await model.close();
});

const kinds = (events: readonly { kind: string }[]): string[] =>
  events.map((event) => event.kind).filter((kind) => kind !== 'connected' && kind !== 'harness_running' && !kind.startsWith('chat_'));

test('a message is answered: accepted, started, streamed, ended, in that order', async () => {
  model.push({ text: ['Hello ', 'you.'], usage: { input: 7, output: 3 } });
  const { events, stream, end } = await runTurn(harness, 'Hi');
  expect(kinds(events)).toEqual(['message_accepted', 'turn_start', 'text', 'text', 'usage', 'turn_end']);
  expect(stream.text()).toBe('Hello you.');
  expect(end).toMatchObject({ reason: 'done', rounds: 1, tools: 0, usage: { input: 7, output: 3 } });
  const ids = events.map((event) => event['id']).filter((id) => id !== undefined);
  expect([...ids].sort((left, right) => left - right)).toEqual(ids);
});

test('several calls of one reply, in fragments, run and are answered in the order of the reply', async () => {
  await writeFile(join(harness.workspace, 'a.txt'), 'content of a');
  model.push(
    {
      text: 'Looking.',
      toolCalls: [
        { name: 'read_file', args: { path: 'a.txt' }, fragments: 4 },
        { name: 'write_file', args: { path: 'b.txt', content: 'two\nlines', mode: 'create' }, fragments: 6 },
        { name: 'read_file', args: { path: 'b.txt' }, fragments: 2 },
      ],
    },
    { text: 'Done.' },
  );
  const { events, end } = await runTurn(harness, 'Read a, write b');
  expect(end).toMatchObject({ reason: 'done', rounds: 2, tools: 3 });
  expect(await readFile(join(harness.workspace, 'b.txt'), 'utf8')).toBe('two\nlines');
  const results = events.filter((event) => event.kind === 'tool_result');
  expect(results.map((result) => [result['name'], result['ok']])).toEqual([
    ['read_file', true],
    ['write_file', true],
    ['read_file', true],
  ]);
  expect(results[0]?.['output']).toContain('content of a');
  const preview = events.filter((event) => event.kind === 'compose_preview');
  expect(preview.map((event) => event['delta']).join('')).toBe('two\nlines');
  expect(preview.at(-1)).toMatchObject({ path: 'b.txt', done: true, lines: 2 });

  const asked = (model.requests[1]?.body.messages as any[]).filter((message, at) => at === 0 || message.role !== 'system');
  expect(asked.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'tool']);
  expect(asked[2].tool_calls.map((call: any) => call.id)).toEqual(asked.slice(3).map((message) => message.tool_call_id));
});

test('the start of a request is the same bytes in every round and turn', async () => {
  model.push(
    { toolCalls: [{ name: 'list_dir', args: { path: '.' } }] },
    { toolCalls: [{ name: 'list_dir', args: { path: '.' } }] },
    { text: 'one' },
    { text: 'two' },
  );
  await runTurn(harness, 'first');
  await runTurn(harness, 'second');
  // The reminder of round 2 stays where it was sent.
  const stable = model.requests.map((request) => ({ tools: JSON.stringify(request.body.tools), system: JSON.stringify(request.body.messages[0]) }));
  expect(new Set(stable.map((one) => one.tools + one.system)).size).toBe(1);
  const conversation = (index: number): string => JSON.stringify(model.requests[index]?.body.messages).slice(0, -1);
  for (let index = 1; index < 4; index++) expect(conversation(index).startsWith(conversation(index - 1))).toBe(true);
});

test('round limit, provider refusal and unexpected faults end the turn with their reason', async () => {
  await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_MAX_ROUNDS: '2' } } });
  model.push(...Array.from({ length: 2 }, () => ({ toolCalls: [{ name: 'list_dir', args: { path: '.' } }] })));
  expect((await runTurn(harness, 'loop')).end).toMatchObject({ reason: 'round_limit', rounds: 2 });
  model.push({ status: 401 });
  expect((await runTurn(harness, 'no key')).end).toMatchObject({ reason: 'error', error: { code: 'provider_auth' } });
  model.push({ status: 402 });
  expect((await runTurn(harness, 'no money')).end).toMatchObject({ reason: 'budget' });
  expect((await harness.call('GET', '/api/status')).body.busy).toBe(false);
});

test('a reply cut by its length limit is continued', async () => {
  model.push({ text: 'first half ', finish: 'length' }, { text: 'second half' });
  const { stream, end } = await runTurn(harness, 'long');
  expect(stream.text()).toBe('first half \nsecond half');
  expect(end['rounds']).toBe(2);
});

test('reset forgets the conversation and keeps the transcript', async () => {
  model.push({ text: 'one' }, { text: 'two' });
  await runTurn(harness, 'remember me');
  expect(await harness.call('POST', '/api/session/reset', { mode: 'soft' })).toMatchObject({
    status: 200,
    body: { ok: true, mode: 'soft' },
  });
  await runTurn(harness, 'who am I');
  expect(model.requests[1]?.body.messages.filter((message: any) => message.role === 'user')).toHaveLength(1);
  const { body } = await harness.call('GET', '/api/config');
  const transcript = await harness.call('GET', `/api/chats/${body.activeChat.chatId}/transcript`);
  expect(transcript.body.entries.filter((entry: any) => entry.kind === 'user')).toHaveLength(2);
});

test('after a restart the model gets the same conversation, byte for byte', async () => {
  model.push({ text: 'Looking.', toolCalls: [{ name: 'list_dir', args: { path: '.' } }] }, { text: 'Empty.' }, { text: 'again' });
  await runTurn(harness, 'What is there?');
  await harness.close({ keepFiles: true });
  const next = await startHarness({
    home: harness.home,
    workspace: harness.workspace,
    environment: { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key', AGENT_MODEL: 'scripted' },
  });
  await runTurn(next, 'And now?');
  const [, second, third] = model.requests.map(({ body }) => JSON.parse(JSON.stringify(body.messages).replace(/\\n\\n<system-note>.*?<\/system-note>/g, '')));
  expect(third.slice(0, second.length)).toEqual(second);
  expect(third.slice(second.length)).toEqual([
    { role: 'assistant', content: 'Empty.' },
    { role: 'user', content: 'And now?' },
  ]);
  await next.close();
});
