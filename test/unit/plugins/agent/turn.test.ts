import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTurn, startHarness, startScriptedModel, useEach } from '../../../helpers/in-process.ts';

const model = useEach(() => startScriptedModel([]));
const harness = useEach(() => startHarness({ environment: { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key', AGENT_MODEL: 'scripted' } }));

const kinds = (events: readonly { kind: string }[]): string[] =>
  events.map((event) => event.kind).filter((kind) => kind !== 'connected' && kind !== 'harness_running' && !kind.startsWith('chat_'));

test('a message is accepted, started, streamed and ended, in that order', async () => {
  model.push({ text: ['Hello ', 'you.'], usage: { input: 7, output: 3 } });
  const { events, stream, end } = await runTurn(harness, 'Hi');
  expect(kinds(events)).toEqual(['message_accepted', 'turn_start', 'text', 'text', 'usage', 'turn_end']);
  expect(stream.text()).toBe('Hello you.');
  expect(end).toMatchObject({ reason: 'done', rounds: 1, tools: 0, usage: { input: 7, output: 3 } });
  const ids = events.map((event) => event['id']).filter((id) => id !== undefined);
  expect([...ids].sort((left, right) => left - right)).toEqual(ids);
});

test('several fragmented calls of one reply run and return results in its order', async () => {
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

test('the round limit, provider errors and an empty account end the turn with their reason', async () => {
  await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_MAX_ROUNDS: '2' } } });
  model.push(...Array.from({ length: 2 }, () => ({ toolCalls: [{ name: 'list_dir', args: { path: '.' } }] })));
  expect((await runTurn(harness, 'loop')).end).toMatchObject({ reason: 'round_limit', rounds: 2 });
  model.push({ status: 401 });
  expect((await runTurn(harness, 'no key')).end).toMatchObject({ reason: 'error', error: { code: 'provider_auth' } });
  model.push({ status: 402 });
  expect((await runTurn(harness, 'no money')).end).toMatchObject({ reason: 'budget' });
  expect((await harness.call('GET', '/api/status')).body.busy).toBe(false);
});

test('a reply truncated by its length limit is continued', async () => {
  model.push({ text: 'first half ', finish: 'length' }, { text: 'second half' });
  const { stream, end } = await runTurn(harness, 'long');
  expect(stream.text()).toBe('first half \nsecond half');
  expect(end['rounds']).toBe(2);
});
