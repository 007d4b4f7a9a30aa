import { expect, test } from 'vitest';
import type { ModelMessage, ModelRequest } from 'agent-harness/plugins/models';
import { buildRequest } from '../../../../builtins/models/model-messages/build-request.ts';

const build = (messages: readonly ModelMessage[], request: Partial<ModelRequest> = {}): any =>
  buildRequest({ system: 'S', messages, tools: [], maxTokens: 9, purpose: 'chat', ...request }, { wire: 'messages', model: 'm', baseURL: '' });
const mark = { cache_control: { type: 'ephemeral' } };
const image = { mimeType: 'image/png', base64: 'QUJD' };

test('system and tools are fields of their own and marked for the cache', () => {
  expect(build([{ role: 'user', text: 'hi' }], { tools: [{ name: 't', description: 'd', input: { type: 'object' } }] })).toEqual({
    model: 'm',
    max_tokens: 9,
    system: [{ type: 'text', text: 'S', ...mark }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', ...mark }] }],
    tools: [{ name: 't', description: 'd', input_schema: { type: 'object' } }],
    tool_choice: { type: 'auto' },
    stream: true,
  });
  expect(build([{ role: 'user', text: 'hi' }], { system: '' })).not.toHaveProperty('system');
});

test('messages of one role in a row become one, results first, notes as marked user text', () => {
  const { messages } = build([
    { role: 'user', text: 'one' },
    { role: 'user', text: 'two', images: [image] },
    { role: 'assistant', text: 'Let me.', toolCalls: [{ id: 'a', name: 'x', argsText: '{"n":1}' }] },
    { role: 'assistant', text: ' ', toolCalls: [{ id: 'odd id!', name: 'y', argsText: '{"n":' }] },
    { role: 'system', text: 'careful' },
    { role: 'tool', callId: 'a', name: 'x', text: 'see', isError: false, images: [image] },
    { role: 'tool', callId: 'odd id!', name: 'y', text: '', isError: true },
    { role: 'system', text: 'tail' },
  ]);
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } };
  expect(messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'one' }, { type: 'text', text: 'two' }, picture] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me.' },
        { type: 'tool_use', id: 'a', name: 'x', input: { n: 1 } },
        { type: 'tool_use', id: 'odd_id_', name: 'y', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'see' }, picture] },
        { type: 'tool_result', tool_use_id: 'odd_id_', content: [{ type: 'text', text: '(no output)' }], is_error: true, ...mark },
        { type: 'text', text: '<system-note>\ncareful\n</system-note>' },
        { type: 'text', text: '<system-note>\ntail\n</system-note>', ...mark },
      ],
    },
  ]);
});

test('a conversation that begins or ends with the assistant is made acceptable', () => {
  const { messages } = build([
    { role: 'assistant', text: 'Welcome', toolCalls: [] },
    { role: 'user', text: '' },
    { role: 'assistant', text: 'and then \n', toolCalls: [] },
  ]);
  expect(messages.map(({ role }: any) => role)).toEqual(['user', 'assistant']);
  expect(messages[1].content.at(-1)).toMatchObject({ text: 'and then' });
  expect(build([]).messages).toHaveLength(1);
});
