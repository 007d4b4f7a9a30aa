import { expect, test } from 'vitest';
import { withContextLengths } from '../../../../builtins/models/model-chat-completions/local-context.ts';

const models = [{ id: 'a' }, { id: 'b', contextLength: 9 }];
const server =
  (documents: Record<string, unknown>, asked: string[] = []) =>
  async (url: string): Promise<unknown> => {
    asked.push(url);
    return documents[new URL(url).pathname];
  };

test.each([
  ['LM Studio', { '/api/v0/models': { data: [{ id: 'a', loaded_context_length: 4_096 }, { id: 'c' }] } }, 4_096],
  ['llama.cpp', { '/props': { default_generation_settings: { n_ctx: 8_192 } } }, 8_192],
  ['Ollama', { '/api/ps': { models: [{ name: 'a', context_length: 4_096 }] } }, 4_096],
  ['Ollama, another model loaded', { '/api/ps': { models: [{ name: 'x', context_length: 4_096 }] } }, undefined],
  ['an unknown server', {}, undefined],
  [
    'invalid documents',
    { '/props': [], '/api/ps': { models: 'none' }, '/api/v0/models': { data: [null, { id: 'a', loaded_context_length: '4k' }] } },
    undefined,
  ],
])('reads the loaded context length from %s', async (_, documents, length) => {
  const [a, b] = await withContextLengths(models, 'http://127.0.0.1:1234/v1', server(documents));
  expect([a?.contextLength, b?.contextLength]).toEqual([length, 9]);
});

test('sends no request to a remote server, or when the list contains the length', async () => {
  const asked: string[] = [];
  await withContextLengths(models, 'https://api.example.com/v1', server({}, asked));
  await withContextLengths([{ id: 'b', contextLength: 9 }], 'http://127.0.0.1/v1', server({}, asked));
  expect(asked).toEqual([]);
});
