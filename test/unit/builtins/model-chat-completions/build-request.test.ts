import { expect, test } from 'vitest';
import type { ModelMessage, ModelRequest } from 'agent-harness/plugins/models';
import { createRequestBuilder } from '../../../../builtins/models/model-chat-completions/build-request.ts';

const route = (baseURL = 'http://127.0.0.1/v1', model = 'm') => ({ wire: 'chat-completions', model, baseURL }) as const;
const build = (request: Partial<ModelRequest>, to = route()): any =>
  JSON.parse(createRequestBuilder()({ system: 'S', messages: [], tools: [], maxTokens: 9, purpose: 'chat', ...request }, to).toString());
const image = { mimeType: 'image/png', base64: 'QUJD' };

test('sends the system text first, tools as functions, and requests usage', () => {
  expect(build({ messages: [{ role: 'user', text: 'hi' }], tools: [{ name: 't', description: 'd', input: { type: 'object' } }] })).toEqual({
    model: 'm',
    messages: [
      { role: 'system', content: 'S' },
      { role: 'user', content: 'hi' },
    ],
    max_tokens: 9,
    tools: [{ type: 'function', function: { name: 't', description: 'd', parameters: { type: 'object' } } }],
    tool_choice: 'auto',
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(build({ system: '' })).not.toHaveProperty('tools');
  expect(build({ system: '' }).messages).toEqual([]);
});

test('builds a tool round with the data that the provider returned', () => {
  const data = { message: { reasoning_content: 'hm' }, calls: { 0: { extra_content: { google: { thought_signature: 'S' } } } } };
  const messages: ModelMessage[] = [
    { role: 'user', text: 'look', images: [image] },
    { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'x', argsText: '{"n":1}' }], providerData: { wire: 'chat-completions', baseURL: '', data } },
    { role: 'tool', callId: 'a', name: 'x', text: 'see', isError: false },
    { role: 'assistant', text: 'ok', toolCalls: [] },
  ];
  const url = 'data:image/png;base64,QUJD';
  expect(build({ system: '', messages }).messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'hm',
      tool_calls: [{ id: 'a', type: 'function', extra_content: { google: { thought_signature: 'S' } }, function: { name: 'x', arguments: '{"n":1}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'see' },
    { role: 'assistant', content: 'ok' },
  ]);
});

test('sends an empty text instead of null for calls if the provider rejects null', () => {
  const messages: ModelMessage[] = [
    { role: 'user', text: 'a' },
    { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'x', argsText: '{}' }] },
  ];
  expect(build({ system: '', messages }).messages[1].content).toBeNull();
  expect(build({ system: '', messages, omit: new Set(['null_content']) }).messages[1].content).toBe('');
});

test.each<[Partial<ModelRequest>, object]>([
  [{ effort: 'low' }, { reasoning_effort: 'low' }],
  [{ effort: 'max' }, { reasoning_effort: 'xhigh' }],
  [{ effort: 'max', omit: new Set(['effort:plain']) }, { reasoning_effort: 'high' }],
  [{ effort: 'off' }, { reasoning_effort: 'none' }],
  [{ effort: 'low', omit: new Set(['effort']) }, { reasoning_effort: undefined }],
  [{ omit: new Set(['effort:none']) }, { reasoning_effort: 'none' }],
  [{ omit: new Set(['max_tokens']) }, { max_completion_tokens: 9, max_tokens: undefined }],
  [{ omit: new Set(['stream_options']) }, { stream_options: undefined }],
])('%o sets %o', (request, fields) => {
  const body = build(request);
  expect(Object.fromEntries(Object.keys(fields).map((key) => [key, body[key]]))).toEqual(fields);
});

test('places audio after the text and images of its message', () => {
  const audio = [{ mimeType: 'audio/mpeg', format: 'mp3', base64: 'SUQz', seconds: 2 }] as const;
  const messages: ModelMessage[] = [
    { role: 'user', text: 'hear', images: [image], audio },
    { role: 'user', text: '', audio },
  ];
  const part = { type: 'input_audio', input_audio: { data: 'SUQz', format: 'mp3' } };
  expect(build({ system: '', messages }).messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'hear' }, { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } }, part] },
    { role: 'user', content: [part] },
  ]);
});

test('uses the limit field of each host, and cache annotations where they are needed', () => {
  const messages: ModelMessage[] = [{ role: 'user', text: 'hi' }];
  expect(build({ messages }, route('https://api.openai.com/v1'))).toMatchObject({ max_completion_tokens: 9 });
  expect(build({ messages }, route('https://api.openai.com/v1'))).not.toHaveProperty('max_tokens');
  const marked = build({ messages }, route('https://openrouter.ai/api/v1', 'anthropic/claude'));
  expect(marked.usage).toEqual({ include: true });
  expect(marked.messages.map(({ content }: any) => content[0].cache_control)).toEqual([{ type: 'ephemeral' }, { type: 'ephemeral' }]);
  expect(build({ messages }, route('https://openrouter.ai/api/v1', 'other/model')).messages[0]).toEqual({ role: 'system', content: 'S' });
});
