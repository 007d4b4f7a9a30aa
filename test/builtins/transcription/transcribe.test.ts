// A recording comes in, is kept, and becomes text: over HTTP, with a provider that says what it got.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { startScriptedAudio, type AudioAnswer, type AudioAsked, type ScriptedAudio } from '../../helpers/scripted-audio.ts';
import { babbleOf, dataUrlOf } from '../../helpers/spoken.ts';

let harness: Harness | undefined;
let audio: ScriptedAudio | undefined;
afterEach(async () => {
  await harness?.close();
  await audio?.close();
  harness = audio = undefined;
});

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

test('what was recorded is on the disk of its chat, and its text comes with what it cost', async () => {
  const { call, home } = await open(() => ({ body: { text: ' hello there ', usage: { cost: 0.00012, seconds: 2 } } }));
  const kept = await upload();
  expect(kept).toEqual({ attachmentId: expect.stringMatching(/^att_/), mimeType: 'audio/wav', bytes: clip.length });
  const { chatId } = (await call('GET', '/api/config')).body.activeChat;
  const folder = join(home, 'chats', chatId, 'audio');
  expect((await readFile(join(folder, kept.attachmentId))).equals(clip)).toBe(true);
  const { status, body } = await transcribe({ attachmentId: kept.attachmentId, language: 'en', prompt: 'Ada, Grace' });
  expect([status, body]).toEqual([
    200,
    { text: 'hello there', durationSec: 2, language: 'en', cost: 0.00012, engine: 'provider', model: 'nvidia/parakeet-tdt-0.6b-v3' },
  ]);
  const [asked] = audio?.asked ?? [];
  expect(asked).toMatchObject({ path: '/v1/audio/transcriptions', wire: 'multipart', soundType: 'audio/wav' });
  expect(asked?.fields).toEqual({ model: 'nvidia/parakeet-tdt-0.6b-v3', language: 'en', prompt: 'Ada, Grace', response_format: 'json' });
  expect([asked?.sound.equals(clip), asked?.headers.authorization]).toEqual([true, 'Bearer main-key']);
  // The same again costs nothing, as it is known.
  expect((await transcribe({ attachmentId: kept.attachmentId, language: 'en', prompt: 'Ada, Grace' })).body).toEqual(body);
  expect([audio?.asked.length, (await readdir(folder)).sort()]).toEqual([1, [kept.attachmentId, `${kept.attachmentId}.json`]]);
  const usage = (await call('GET', '/api/usage')).body;
  expect(JSON.stringify(usage)).toContain('"voice"');
});
