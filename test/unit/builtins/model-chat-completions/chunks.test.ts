import { describe, expect, test } from 'vitest';
import type { ModelReply } from 'agent-harness/plugins/models';
import { createReader } from '../../../../builtins/models/model-chat-completions/read-chunks.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';
import { openModels, type OpenedModels } from '../../plugins/models/open-models.ts';

let opened: OpenedModels | undefined;

async function replyOf(chunks: readonly (object | string)[], end = 'data: [DONE]\n\n'): Promise<ModelReply> {
  const body = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : `data: ${JSON.stringify(chunk)}\n\n`)).join('') + end;
  opened = await openModels([{ body, headers: { 'content-type': 'text/event-stream; charset=utf-8' } }], {
    environment: { AGENT_TRANSIENT_5XX_MAX_RETRIES: '0' },
  });
  return opened.ask();
}
const delta = (fields: object, finish: string | null = null): object => ({ choices: [{ delta: fields, finish_reason: finish }] });
const calls = (...list: object[]): object => delta({ tool_calls: list });
const call = (name?: string, args?: string | object): object => ({ function: { name, arguments: args } });

describe('tool calls of non-standard servers', () => {
  test.each<[string, object[], string[]]>([
    ['no index, an id for each call', [calls({ id: 'a', ...call('x', '{"n":1}') }, { id: 'b', ...call('y', '{}') })], ['a x {"n":1}', 'b y {}']],
    [
      'no index, fragments without id',
      [calls({ id: 'a', ...call('x', '{"n"') }), calls(call(undefined, ':1}')), calls({ id: 'b', ...call('y', '{}') })],
      ['a x {"n":1}', 'b y {}'],
    ],
    ['the index 0 for every call', [calls({ index: 0, id: 'a', ...call('x', '{}') }), calls({ index: 0, id: 'b', ...call('y', '{}') })], ['a x {}', 'b y {}']],
    [
      'the index 0 for every call and no ids',
      [calls({ index: 0, ...call('x', '{}') }), calls({ index: 0, ...call('y', '{}') })],
      ['call_0 x {}', 'call_1 y {}'],
    ],
    ['id and name in each fragment', [calls({ index: 0, id: 'a', ...call('x', '{"n"') }), calls({ index: 0, id: 'a', ...call('x', ':1}') })], ['a x {"n":1}']],
    [
      'name in each fragment, no index, no id',
      [calls(call('x', '{"n"')), calls(call('x', ':1}')), calls(call('x', '{}'))],
      ['call_0 x {"n":1}', 'call_1 x {}'],
    ],
    ['indices that begin at 1', [calls({ index: 1, id: 'a', ...call('x', '{}') }), calls({ index: 2, id: 'b', ...call('y', '{}') })], ['a x {}', 'b y {}']],
    [
      'one id for two calls with an index each',
      [
        calls({ index: 0, id: 'a', ...call('x', '{"n"') }, { index: 1, id: 'a', ...call('y', '{') }),
        calls({ index: 0, id: 'a', ...call(undefined, ':1}') }),
        calls({ index: 1, ...call(undefined, '}') }),
      ],
      ['a x {"n":1}', 'a y {}'],
    ],
    [
      'one id for two calls of one tool',
      [calls({ index: 0, id: 'a', ...call('x', '{"n":1}') }), calls({ index: 1, id: 'a', ...call('x', '{"n":2}') })],
      ['a x {"n":1}', 'a x {"n":2}'],
    ],
    ['arguments as an object', [calls({ index: 0, id: 'a', ...call('x', { n: 1 }) })], ['a x {"n":1}']],
    ['arguments before the name', [calls({ index: 0, id: 'a', ...call(undefined, '{"n"') }), calls({ index: 0, ...call('x', ':1}') })], ['a x {"n":1}']],
    [
      'arguments that go on under other indexes (dirac-run/dirac#215)',
      [calls({ index: 0, id: 'a', ...call('x', '{"n') }), calls({ index: 1, ...call(undefined, '":') }), calls({ index: 2, ...call(undefined, '1}') })],
      ['a x {"n":1}'],
    ],
    [
      'a name in fragments with an id (NVIDIA-NeMo/Switchyard#785)',
      [calls({ index: 0, id: 'a', ...call('read') }), calls({ index: 0, id: 'a', ...call('_file') }), calls({ index: 0, ...call(undefined, '{"n":1}') })],
      ['a read_file {"n":1}'],
    ],
    ['a name in fragments without one', [calls({ index: 0, ...call('read') }), calls({ index: 0, ...call('_file', '{}') })], ['call_0 read_file {}']],
    [
      'a last fragment that repeats everything',
      [
        calls({ index: 0, id: 'a', ...call('x', '{"n":') }),
        calls({ index: 0, ...call(undefined, '1}') }),
        calls({ index: 0, id: 'a', ...call('x', '{"n":1}') }),
      ],
      ['a x {"n":1}'],
    ],
    ['no arguments at all', [calls({ index: 0, id: 'a', ...call('x') })], ['a x {}']],
  ])('%s', async (_, chunks, expected) => {
    const reply = await replyOf([...chunks, delta({}, 'stop')]);
    expect(reply.toolCalls.map(({ id, name, argsText }) => `${id} ${name} ${argsText}`)).toEqual(expected);
    expect(reply.finish).toBe('tool_calls');
  });

  test('reads comments, empty deltas, text parts, a refusal and reasoning_content', async () => {
    const reply = await replyOf([
      ': keep-alive\n\n',
      delta({ role: 'assistant', content: '' }),
      delta({ content: [{ type: 'text', text: 'a' }] }),
      delta({ reasoning_content: 'r' }),
      delta({ content: null, refusal: 'no' }),
      delta({}, 'stop'),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, prompt_tokens_details: null, cost: 0.1 } },
    ]);
    expect(reply).toMatchObject({ text: 'ano', usage: { input: 3, output: 2, cached: 0, cost: 0.1 } });
    expect(opened?.seen.reasoning).toBe('r');
  });

  test('reads content as an object, and ignores null and unknown values', async () => {
    const odd = [
      delta({ content: { type: 'text', text: 'a' } }),
      delta({ content: [null, { text: 'b' }] }),
      delta({ content: { other: 1 } }),
      calls(null as never),
      delta({ tool_calls: {} }),
    ];
    expect(await replyOf([...odd, 'data: null\n\n', delta({}, 'stop')])).toMatchObject({ text: 'ab', toolCalls: [] });
  });

  test('accepts an end without [DONE] and without an empty line after a finish reason', async () => {
    expect(await replyOf([delta({ content: 'a' })], `data: ${JSON.stringify(delta({}, 'length'))}`)).toMatchObject({ text: 'a', finish: 'length' });
  });

  test('accepts [DONE] without a finish reason', async () => {
    expect(await replyOf([delta({ content: 'a' })])).toMatchObject({ text: 'a', finish: 'stop' });
  });
});

test('rejects an end without both as incomplete', async () => {
  await expect(replyOf([delta({ content: 'a' })], '')).rejects.toMatchObject({
    code: 'MODELS_ERR_PROVIDER_UNAVAILABLE',
    details: { why: 'the reply ended before it was complete' },
  });
  await opened?.close();
  await expect(replyOf([delta({}, 'error')])).rejects.toMatchObject({ code: 'MODELS_ERR_PROVIDER_UNAVAILABLE' });
});

test('gives a call without a name the name unnamed_tool', async () => {
  const reply = await replyOf([calls({ index: 0, id: 'a', ...call(undefined, '{}') }), delta({}, 'tool_calls')]);
  expect(reply.toolCalls).toEqual([{ id: 'a', name: 'unnamed_tool', argsText: '{}' }]);
});

test('resolves after [DONE] although the connection stays open', async () => {
  const text = Array.from({ length: 50 }, (_, index) => `${index} `);
  opened = await openModels([{ text, delayMs: 0, keepOpen: true }]);
  expect(await opened.ask()).toMatchObject({ text: text.join('') });
  expect(opened.seen.deltas).toBe(50);
});

test('reads 2,000 deltas in less than 40 ms of CPU time', async () => {
  const lines = Array.from(
    { length: 2_000 },
    (_, index) => `data: ${JSON.stringify({ id: 'gen', object: 'chat.completion.chunk', model: 'm', ...delta({ content: `word${index} ` }) })}\n\n`,
  );
  const { createParser } = await import('eventsource-parser');
  const once = async (): Promise<number> => {
    let count = 0;
    const sink = { text: () => void count++, reasoning: () => undefined, toolCall: () => undefined, toolArgs: () => undefined };
    const reader = createReader(
      sink,
      () => 'id',
      () => expect.fail(),
    );
    const parser = createParser({ onEvent: ({ data }) => void reader.take(JSON.parse(data), false) });
    const spent = await cpuMsOf(() => {
      for (let at = 0; at < lines.length; at += 20) parser.feed(lines.slice(at, at + 20).join(''));
    });
    expect(count).toBe(2_000);
    return spent;
  };
  let least = Infinity;
  for (let round = 0; round < 5; round++) least = Math.min(least, await once());
  expect(least).toBeLessThan(40);
});
