import { expect, test } from 'vitest';
import type { ModelMessage, ModelRequest } from 'agent-harness/plugins/models';
import { buildRequest } from '../../../../builtins/models/model-messages/build-request.ts';

const build = (messages: readonly ModelMessage[], request: Partial<ModelRequest> = {}): any =>
  buildRequest({ system: 'S', messages, tools: [], maxTokens: 9, purpose: 'chat', ...request }, { wire: 'messages', model: 'm', baseURL: '' });
const mark = { cache_control: { type: 'ephemeral' } };
const image = { mimeType: 'image/png', base64: 'QUJD' };

test('sends the system prompt and tools as separate fields and adds cache breakpoints', () => {
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

test('merges consecutive messages of one role, puts tool results first, and wraps system notes in tags', () => {
  const { messages } = build([
    { role: 'user', text: 'one' },
    { role: 'user', text: 'two', images: [image] },
    { role: 'assistant', text: 'Let me.', toolCalls: [{ id: 'a', name: 'x', argsText: '{"n":1}' }] },
    { role: 'assistant', text: ' ', toolCalls: [{ id: 'odd_id_', name: 'y', argsText: '{}' }] },
    { role: 'system', text: 'careful' },
    { role: 'tool', callId: 'a', name: 'x', text: 'see', isError: false, images: [image] },
    { role: 'tool', callId: 'odd_id_', name: 'y', text: '', isError: true },
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

test('sends thinking blocks first and unchanged, and omits cache_control on request', () => {
  const thinking = [{ type: 'thinking', thinking: 'hm', signature: 'S' }];
  const { messages } = build(
    [
      { role: 'user', text: 'x' },
      {
        role: 'assistant',
        text: 'so',
        toolCalls: [{ id: 'a', name: 'x', argsText: '{}' }],
        providerData: { wire: 'messages', baseURL: '', data: { thinking } },
      },
      { role: 'tool', callId: 'a', name: 'x', text: 'y', isError: false },
    ],
    { omit: new Set(['cache_control']) },
  );
  expect(messages[1].content).toEqual([...thinking, { type: 'text', text: 'so' }, { type: 'tool_use', id: 'a', name: 'x', input: {} }]);
  expect(JSON.stringify(messages)).not.toContain('cache_control');
});

test.each<[string, Partial<ModelRequest>, object]>([
  ['claude-sonnet-5-5', { effort: 'low' }, { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
  ['claude-opus-4-6', { effort: 'max' }, { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }],
  ['claude-sonnet-4-5-20250929', { effort: 'low', maxTokens: 64_000 }, { thinking: { type: 'enabled', budget_tokens: 4_096 } }],
  ['claude-sonnet-4-20250514', { effort: 'high', maxTokens: 8_000 }, { thinking: { type: 'enabled', budget_tokens: 6_976 } }],
  ['glm-5', { effort: 'low', omit: new Set(['effort:plain']), maxTokens: 64_000 }, { thinking: { type: 'enabled', budget_tokens: 4_096 } }],
  ['glm-5', { effort: 'low', omit: new Set(['effort:plain', 'effort']) }, {}],
  ['claude-sonnet-5-5', { effort: 'off' }, { thinking: { type: 'disabled' } }],
])('maps %s with %o to the request fields %o', (model, request, fields) => {
  const { thinking, output_config } = buildRequest(
    { system: '', messages: [], tools: [], maxTokens: 9, purpose: 'chat', ...request },
    { wire: 'messages', model, baseURL: '' },
  ) as any;
  expect({ ...(thinking ? { thinking } : {}), ...(output_config ? { output_config } : {}) }).toEqual(fields);
});

test('prepends a user message when the conversation starts with the assistant', () => {
  const { messages } = build([
    { role: 'assistant', text: 'Welcome', toolCalls: [] },
    { role: 'user', text: '' },
    { role: 'user', text: 'and then' },
  ]);
  expect(messages.map(({ role }: any) => role)).toEqual(['user', 'assistant', 'user']);
  expect(build([]).messages).toHaveLength(1);
});
