// Tests HTTP calls of a desktop app, which pass the token and the chat in the query.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHarness, startScriptedModel, useAll, useFolderForAll } from '../../../helpers/in-process.ts';
import { startScriptedAudio } from '../../../helpers/scripted-audio.ts';
import { babbleOf, dataUrlOf, toneOf } from '../../../helpers/spoken.ts';
import '../../../helpers/plain-resolution.ts';

const home = useFolderForAll('sidecar-home-');
const model = useAll(() => startScriptedModel());
const audio = useAll(() =>
  startScriptedAudio(({ path }) =>
    path.endsWith('/speech') ? { body: toneOf(1, 0.2), headers: { 'content-type': 'audio/wav' } } : { body: { text: 'hello there' } },
  ),
);
const harness = useAll(() => startHarness({ home, environment: { ...model.environment, AGENT_TTS_ENABLED: '1', AGENT_AUDIO_BASE_URL: audio.url } }));

async function ask(method: string, path: string, chatId: string, body?: object): Promise<{ status: number; body: any }> {
  const reply = await fetch(`${harness.url}${path}?token=${harness.token}&chatId=${chatId}`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  const text = await reply.text();
  return { status: reply.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
const makeChat = async (): Promise<string> => (await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' })).body.chatId;

test('uploads, transcripts and speech use the chat in the query', async () => {
  const chatId = await makeChat();
  const active = await makeChat();
  const sample = babbleOf(2);
  const clip = await ask('POST', '/api/audio/upload', chatId, { dataUrl: dataUrlOf(sample) });
  expect(clip).toMatchObject({ status: 200, body: { attachmentId: expect.any(String) } });
  const { attachmentId } = clip.body;
  expect(await ask('POST', '/api/transcribe', active, { attachmentId })).toMatchObject({ status: 404 });
  expect(await ask('POST', '/api/transcribe', chatId, { attachmentId })).toMatchObject({ status: 200, body: { text: 'hello there' } });
  const spoken = await ask('POST', '/api/tts', chatId, { text: 'Hello.' });
  expect(spoken.status).toBe(200);
  const { clipId } = spoken.body.clips[0];
  expect((await ask('GET', `/api/tts/clip/${clipId}`, chatId)).status).toBe(200);
  expect(await readdir(join(home, 'chats', chatId, 'audio', 'speech'))).toEqual([expect.stringContaining(clipId)]);
});

test('a message uses the chat in the query unless the body names one, and an unknown or repeated chat is rejected', async () => {
  const chatId = await makeChat();
  const active = await makeChat();
  expect((await ask('POST', '/api/message', chatId, { text: 'hello' })).body).toMatchObject({ chatId });
  expect((await ask('POST', '/api/message', chatId, { text: 'hello', chatId: active })).body).toMatchObject({ chatId: active });
  expect(await ask('POST', '/api/message', 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV', { text: 'hello' })).toMatchObject({ status: 404 });
  expect(await ask('POST', '/api/message', `${chatId}&chatId=${active}`, { text: 'hello' })).toMatchObject({ status: 400 });
});
