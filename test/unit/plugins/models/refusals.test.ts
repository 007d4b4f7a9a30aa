// Tests remedies for rejected requests: the rejected part is omitted and remembered by base URL and model.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelRequest, RequestPart } from 'agent-harness/plugins/models';
import { type Harness, type ScriptedModel, startHarness, startScriptedModel } from '../../../helpers/in-process.ts';
import { faultOfReply } from '../../../../plugins/models/provider-fault.ts';
import { findRemedy, type Remedy } from '../../../../plugins/models/remedies.ts';

const image = { mimeType: 'image/png', base64: 'x' };
const request: ModelRequest = {
  ...{ system: '', maxTokens: 16_000, purpose: 'chat', effort: 'high' },
  messages: [
    { role: 'user', text: 'a', images: [image] },
    { role: 'assistant', text: '', toolCalls: [{ id: '1', name: 'x', argsText: '{}' }], providerData: { wire: 'chat-completions', baseURL: '', data: {} } },
    { role: 'assistant', text: '', toolCalls: [{ id: '2', name: 'x', argsText: '{}' }] },
  ],
  tools: [{ name: 'search_docs', description: '', input: {} }],
};
const remedyFor = (status: number, message: string, more: object = {}, sent: Partial<ModelRequest> = {}): Remedy | undefined =>
  findRemedy(faultOfReply(status, JSON.stringify({ error: { message, ...more } }), null, 0), {
    request: { ...request, ...sent },
    route: { wire: 'chat-completions', model: 'm', baseURL: '' },
    tried: [],
    hasWire: () => true,
  });

test.each<[string, number, string, RequestPart]>([
  ['ollama/ollama', 400, 'registry.ollama.ai/library/gemma3:4b does not support tools', 'tools'],
  ['vllm-project/vllm', 400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 'tools'],
  ['OpenRouter', 404, 'No endpoints found that support tool use. To learn more about provider routing, visit: x', 'tools'],
  ['vybestack/llxprt-code#114', 400, 'Unrecognized request argument supplied: stream_options', 'stream_options'],
  ['anomalyco/opencode#27672', 422, 'Extra inputs are not permitted: body.stream_options', 'stream_options'],
  ['OpenAI', 400, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", 'max_tokens'],
  ['a local server', 400, 'max_completion_tokens: extra fields not permitted', 'max_tokens'],
  ['OpenRouter', 404, 'No endpoints found that support image input', 'images'],
  ['LM Studio', 400, 'Model does not support images. Please use a model that does.', 'images'],
  ['DeepSeek', 400, 'Failed to deserialize the JSON body: unknown variant `image_url`, expected `text`', 'images'],
  ['llama.cpp', 500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj', 'images'],
  [
    'Groq',
    400,
    "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
    'reasoning',
  ],
  ['Mistral', 422, 'Extra inputs are not permitted: body.reasoning_effort', 'effort'],
  ['OpenAI, gpt-4.1', 400, "Unsupported parameter: 'reasoning_effort' is not supported with this model.", 'effort'],
  ['Anthropic', 400, 'tools.0.custom.input_schema: JSON schema is invalid', 'tool:search_docs'],
  ['OpenAI', 400, "Invalid schema for function 'search_docs': schema must be a JSON Schema of 'type: \"object\"'", 'tool:search_docs'],
  ['DeepSeek', 400, 'Missing `reasoning_content` field in the assistant message at message index 2.', 'calls'],
  ['a FastAPI server', 422, 'body.messages.2.content: Input should be a valid string', 'null_content'],
  ['Gemini', 400, 'Function call is missing a thought_signature in functionCall parts.', 'calls'],
])('finds the remedy for %s, %i: %s', (_, status, message, part) => expect(remedyFor(status, message)).toMatchObject({ kind: 'part', part }));

test('reads field faults given as a list', () => {
  const detail = [{ type: 'string_type', loc: ['body', 'messages', 2, 'content'], msg: 'Input should be a valid string', input: null }];
  const fault = faultOfReply(422, JSON.stringify({ detail }), null, 0);
  const route = { wire: 'chat-completions', model: 'm', baseURL: '' } as const;
  expect(findRemedy(fault, { request, route, tried: [], hasWire: () => true })).toMatchObject({ part: 'null_content' });
});

test('finds remedies for an unreadable image, a reply limit and a different wire', () => {
  expect(remedyFor(400, 'Could not process image')).toEqual({ kind: 'pictures', images: [image] });
  expect(remedyFor(400, 'max_tokens is too large: 16000. This model supports at most 4096 completion tokens, whereas you provided 16000.')).toEqual({
    kind: 'reply',
    tokens: 4_096,
  });
  expect(remedyFor(400, 'max_tokens: 16000 > 8192, which is the maximum allowed number of output tokens for x')).toEqual({ kind: 'reply', tokens: 8_192 });
  expect(
    remedyFor(400, 'Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. Please use /v1/responses instead.'),
  ).toEqual({
    kind: 'wire',
    wire: 'responses',
  });
});

test('faults without a remedy are not retried', () => {
  expect(remedyFor(404, 'The model `x` does not exist or you do not have access to it.')).toBeUndefined();
  expect(remedyFor(401, 'Incorrect API key provided')).toBeUndefined();
  expect(remedyFor(429, 'Rate limit reached')).toBeUndefined();
  expect(remedyFor(400, 'Your request was rejected by our safety system')).toBeUndefined();
});

test('without a named cause it omits one suspect after another', () => {
  expect(remedyFor(400, 'bad request')).toEqual({ kind: 'pictures', images: [image] });
  expect(remedyFor(400, 'bad request', {}, { messages: [{ role: 'user', text: 'a' }] })).toMatchObject({ part: 'tools', scope: 'chat' });
  expect(remedyFor(400, 'bad request', {}, { messages: [{ role: 'user', text: 'a' }], tools: [] })).toBeUndefined();
});

let harness: Harness | undefined;
let model: ScriptedModel | undefined;

test('a model is rejected once, also across restarts, and each chat reports it once', async () => {
  const home = await mkdtemp(join(tmpdir(), 'refusals-home-'));
  let takesTools = false;
  model = await startScriptedModel(({ body }) =>
    body.tools && !takesTools ? { status: 400, body: { error: { message: 'm does not support tools' } } } : { text: 'Hello.' },
  );
  const open = (): Promise<Harness> => startHarness({ home, builtins: ['model-chat-completions', 'files'], environment: model!.environment });
  const { runTurn } = await import('../../../helpers/event-stream.ts');
  harness = await open();
  const first = await runTurn(harness, 'hi');
  expect(first.end['reason']).toBe('done');
  expect(first.stream.text('trace')).toContain('scripted does not accept tools at 127.0.0.1');
  const second = await runTurn(harness, 'again');
  expect(second.stream.text('trace')).toBe('');
  await harness.close({ keepFiles: true });
  harness = await open();
  await runTurn(harness, 'and again');
  expect(model.requests.filter(({ body }) => body.tools)).toHaveLength(1);
  takesTools = true;
  expect((await harness.call('POST', '/api/provider/test', {})).body).toMatchObject({ ok: true, tools: 'not_called' });
  await runTurn(harness, 'with tools');
  expect(model.requests.at(-1)?.body.tools.length).toBeGreaterThan(0);
  await harness.close();
  await rm(home, { recursive: true, force: true });
});
