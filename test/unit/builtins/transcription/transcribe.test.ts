// Tests upload, storage and transcription of a recording over HTTP with a scripted provider.
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { startScriptedAudio, type AudioAnswer, type AudioAsked, type ScriptedAudio } from '../../../helpers/scripted-audio.ts';
import { babbleOf, dataUrlOf } from '../../../helpers/spoken.ts';
import { createGate } from '../../plugins/agent/agent-bench.ts';

let harness: Harness | undefined;
let audio: ScriptedAudio | undefined;

const builtins = ['audio-engines', 'audio-hosted', 'transcription', 'model-demo', 'model-chat-completions'];

async function open(script: (asked: AudioAsked) => AudioAnswer | Promise<AudioAnswer>, environment: Record<string, string> = {}): Promise<Harness> {
  audio = await startScriptedAudio(script);
  return (harness = await startHarness({ builtins, environment: { ...audio.environment, ...environment } }));
}

const clip = babbleOf(2);
async function upload(bytes = clip, type = 'audio/wav'): Promise<any> {
  const { status, body } = await (harness as Harness).call('POST', '/api/audio/upload', { dataUrl: dataUrlOf(bytes, type), name: 'note.wav' });
  expect([status, status === 200 ? '' : body]).toEqual([200, '']);
  return body;
}
const transcribe = (body: object): ReturnType<Harness['call']> => (harness as Harness).call('POST', '/api/transcribe', body);

test('stores a recording in its chat and returns its text with the cost', async () => {
  const { call, home } = await open(() => ({ body: { text: ' hello there ', usage: { cost: 0.00012, seconds: 2 } } }));
  const uploaded = await upload();
  expect(uploaded).toEqual({ attachmentId: expect.stringMatching(/^att_/), mimeType: 'audio/wav', bytes: clip.length });
  const { chatId } = (await call('GET', '/api/config')).body.activeChat;
  const folder = join(home, 'chats', chatId, 'audio');
  expect((await readFile(join(folder, uploaded.attachmentId))).equals(clip)).toBe(true);
  const { status, body } = await transcribe({ attachmentId: uploaded.attachmentId, language: 'en', prompt: 'Ada, Grace' });
  expect([status, body]).toEqual([
    200,
    { text: 'hello there', durationSec: 2, language: 'en', cost: 0.00012, engine: 'provider', model: 'nvidia/parakeet-tdt-0.6b-v3' },
  ]);
  const [asked] = audio?.asked ?? [];
  expect(asked).toMatchObject({ path: '/v1/audio/transcriptions', wire: 'multipart', soundType: 'audio/wav' });
  expect(asked?.fields).toEqual({ model: 'nvidia/parakeet-tdt-0.6b-v3', language: 'en', prompt: 'Ada, Grace', response_format: 'json' });
  expect([asked?.sound.equals(clip), asked?.headers.authorization]).toEqual([true, 'Bearer main-key']);
  expect((await transcribe({ attachmentId: uploaded.attachmentId, language: 'en', prompt: 'Ada, Grace' })).body).toEqual(body);
  expect([audio?.asked.length, (await readdir(folder)).sort()]).toEqual([1, [uploaded.attachmentId, `${uploaded.attachmentId}.json`]]);
  const usage = (await call('GET', '/api/usage')).body;
  expect(JSON.stringify(usage)).toContain('"voice"');
});

test('copies recordings and transcripts to a fork', async () => {
  const { call } = await open(() => ({ body: { text: 'hello there' } }));
  const { attachmentId } = await upload();
  const known = (await transcribe({ attachmentId })).body;
  const { chatId } = (await call('GET', '/api/config')).body.activeChat;
  const fork = await call('POST', `/api/chats/${chatId}/fork`, {});
  expect((await transcribe({ attachmentId, chatId: fork.body.chatId })).body).toEqual(known);
  expect(audio?.asked).toHaveLength(1);
  expect((await call('DELETE', `/api/chats/${chatId}`)).status).toBe(200);
  expect((await transcribe({ attachmentId, chatId: fork.body.chatId, language: 'en' })).body.text).toBe('hello there');
});

test('stores nothing for a chat deleted during upload or transcription', async () => {
  const [answer, requested] = [createGate(), createGate()];
  const { call, home, url, token } = await open(() => (requested.open(), { until: answer.opened, body: { text: 'late' } }));
  const { attachmentId } = await upload();
  const { chatId } = (await call('GET', '/api/config')).body.activeChat;
  const writing = transcribe({ attachmentId, chatId });
  await requested.opened;
  const text = JSON.stringify({ dataUrl: dataUrlOf(clip) });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const coming = request(`${url}/api/audio/upload?chatId=${chatId}`, { method: 'POST', headers });
  const replied = once(coming, 'response') as Promise<[IncomingMessage]>;
  await new Promise((resolve) => coming.write(text.slice(0, 1_000), resolve));
  expect((await call('DELETE', `/api/chats/${chatId}`)).status).toBe(200);
  coming.end(text.slice(1_000));
  const [reply] = await replied;
  expect(reply.resume().statusCode).toBe(404);
  answer.open();
  await writing;
  expect(await readdir(join(home, 'chats'))).not.toContain(chatId);
});
