import { expect, test } from 'vitest';
import type { ModelReply } from 'agent-harness/plugins/models';
import { openModels, type OpenedModels } from '../../plugins/models/open-models.ts';

let opened: OpenedModels | undefined;

async function replyOf(...events: readonly object[]): Promise<ModelReply> {
  const body = events.map((event: any) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  opened = await openModels([{ body, headers: { 'content-type': 'text/event-stream' } }], {
    environment: { AGENT_MODEL_WIRE: 'messages', AGENT_TRANSIENT_5XX_MAX_RETRIES: '0' },
  });
  return opened.ask();
}
const begin = (index: number, content_block: object): object => ({ type: 'content_block_start', index, content_block });
const add = (index: number, delta: object): object => ({ type: 'content_block_delta', index, delta });
const stop = { type: 'message_stop' };

test('adds cache reads and cache writes to the input token count', async () => {
  const reply = await replyOf(
    { type: 'message_start', message: { usage: { input_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 1 } } },
    { type: 'ping' },
    begin(0, { type: 'text', text: '' }),
    add(0, { type: 'text_delta', text: 'hi' }),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9, input_tokens: null } },
    stop,
  );
  expect(reply).toMatchObject({ text: 'hi', usage: { input: 125, output: 9, cached: 100 }, finish: 'stop' });
});

test('reads arguments from the content block and generates a missing call id', async () => {
  const reply = await replyOf(
    begin(0, { type: 'thinking', thinking: 'so' }),
    begin(1, { type: 'tool_use', name: 'x', input: { n: 1 } }),
    begin(2, { type: 'tool_use', id: 'b', name: 'y', input: {} }),
    add(2, { type: 'input_json_delta', partial_json: '{"m":' }),
    add(2, { type: 'input_json_delta', partial_json: '2}' }),
    add(7, { type: 'input_json_delta', partial_json: 'stray' }),
    add(0, { type: 'signature_delta', signature: 'zzz' }),
    stop,
  );
  expect(reply.toolCalls).toEqual([
    { id: 'call_0', name: 'x', argsText: '{"n":1}' },
    { id: 'b', name: 'y', argsText: '{"m":2}' },
  ]);
  expect(opened?.seen.reasoning).toBe('so');
});

test('reports a stream without message_stop as unavailable and names a tool call without a name', async () => {
  await expect(replyOf(begin(0, { type: 'text', text: 'half' }))).rejects.toMatchObject({ code: 'MODELS_ERR_PROVIDER_UNAVAILABLE' });
  await opened?.close();
  expect((await replyOf(begin(0, { type: 'tool_use', id: 'a' }), stop)).toolCalls).toEqual([{ id: 'a', name: 'unnamed_tool', argsText: '{}' }]);
});

test.each([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
  ['tool_use', 'tool_calls'],
  ['stop_sequence', 'stop'],
])('maps stop reason %s to finish reason %s', async (stop_reason, finish) => {
  expect(await replyOf(begin(0, { type: 'text', text: 'so' }), { type: 'message_delta', delta: { stop_reason } })).toMatchObject({ finish });
});
