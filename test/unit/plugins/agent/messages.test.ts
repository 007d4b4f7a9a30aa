import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTurn, startHarness, startScriptedModel, useAll } from '../../../helpers/in-process.ts';

const model = useAll(() => startScriptedModel([{ text: 'ok', always: true }]));
const harness = useAll(() => startHarness({ environment: { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key' } }));

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('an image reaches the model and is stored with the chat', async () => {
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
