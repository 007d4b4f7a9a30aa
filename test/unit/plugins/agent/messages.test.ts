import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTurn } from '../../../helpers/event-stream.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { startScriptedModel, type ScriptedModel } from '../../../helpers/scripted-model.ts';

let model: ScriptedModel;
let harness: Harness;
beforeAll(async () => {
  model = await startScriptedModel([{ text: 'ok', always: true }]);
  harness = await startHarness({ environment: { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key' } });
});
afterAll(async () => {
  await harness.close();
  await model.close();
});

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('a picture reaches the model and is saved beside the chat', async () => {
  const { events } = await runTurn(harness, 'What is this?', { attachments: [{ name: 'dot.png', dataUrl: `data:image/png;base64,${pixel}` }] });
  const [saved] = events.find((event) => event.kind === 'message_accepted')?.['attachments'];
  expect(saved).toMatchObject({ name: 'dot.png', mimeType: 'image/png', bytes: 70 });
  const content = model.requests.find(({ body }) => body.tools)?.body.messages.at(-1).content;
  expect(JSON.stringify(content)).toContain(pixel);
  const [chatId] = await readdir(join(harness.home, 'chats'));
  expect((await readFile(join(harness.home, 'chats', chatId ?? '', 'attachments', saved.attachmentId))).toString('base64')).toBe(pixel);
  const read = (id: string): Promise<Response> => fetch(`${harness.url}/api/attachments/${id}`, { headers: { authorization: `Bearer ${harness.token}` } });
  const picture = await read(saved.attachmentId);
  expect(Buffer.from(await picture.arrayBuffer()).toString('base64')).toBe(pixel);
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect(picture.headers.get('content-security-policy')).toContain('sandbox');
  for (const other of ['att_01ARZ3NDEKTSV4RRFFQ69G5FAV', '..%2f..%2fweb_token']) expect((await read(other)).status).toBe(404);
});

test.each([
  ['an unknown field', { text: 'x', color: 'red' }, 400, 'invalid_request'],
  ['a wrong type', { text: 5 }, 400, 'invalid_request'],
  ['an empty text', { text: '  ' }, 400, 'invalid_request'],
  ['a wrong whenBusy', { text: 'x', whenBusy: 'now' }, 400, 'invalid_request'],
  ['an id that is none', { text: 'x', chatId: '../../etc' }, 404, 'not_found'],
  ['a chat that is not there', { text: 'x', chatId: 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV' }, 404, 'not_found'],
  ['no data URL', { text: 'x', attachments: [{ name: 'a', dataUrl: 'http://example.org' }] }, 400, 'invalid_request'],
  [
    'too many attachments',
    { text: 'x', attachments: Array.from({ length: 13 }, () => ({ name: 'a', dataUrl: 'data:text/plain;base64,eA==' })) },
    400,
    'invalid_request',
  ],
  ['a text over 1 MB', { text: 'x'.repeat(1_048_577) }, 413, 'too_large'],
  ['a picture over 4 MB', { text: 'x', attachments: [{ name: 'a', dataUrl: `data:image/png;base64,${'A'.repeat(5_600_000)}` }] }, 413, 'too_large'],
])('a message with %s is refused and changes nothing', async (_, body, status, code) => {
  const before = model.requests.length;
  const reply = await harness.call('POST', '/api/message', body);
  expect([reply.status, reply.body.error.code]).toEqual([status, code]);
  expect(reply.body.error.requestId).toMatch(/^req_/);
  expect(JSON.stringify(reply.body)).not.toMatch(/\bat .*\.(ts|mjs):\d+/);
  expect(model.requests).toHaveLength(before);
  expect((await harness.call('GET', '/api/status')).body.busy).toBe(false);
});
