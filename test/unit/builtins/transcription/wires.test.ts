// Tests the two request formats for transcription: detected once, stored, and not confused with errors about the recording.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { bodyOf, firstWire, isAboutForm } from '../../../../builtins/voice/audio-hosted/transcription/wire-forms.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { startScriptedAudio, type AudioAnswer, type AudioAsked, type ScriptedAudio } from '../../../helpers/scripted-audio.ts';
import { babbleOf, dataUrlOf } from '../../../helpers/spoken.ts';

let harness: Harness;
let audio: ScriptedAudio | undefined;
afterEach(() => void (audio = undefined));

const builtins = ['audio-engines', 'audio-hosted', 'transcription', 'model-demo', 'model-chat-completions'];

async function open(script: (asked: AudioAsked) => AudioAnswer, environment: Record<string, string> = {}, home?: string): Promise<Harness> {
  audio ??= await startScriptedAudio(script);
  return (harness = await startHarness({ builtins, environment: { ...audio.environment, ...environment }, ...(home === undefined ? {} : { home }) }));
}

async function transcribe(fields: object = {}): Promise<{ status: number; body: any }> {
  const { call } = harness;
  const { body } = await call('POST', '/api/audio/upload', { dataUrl: dataUrlOf(babbleOf(1)) });
  return call('POST', '/api/transcribe', { attachmentId: body.attachmentId, ...fields });
}

const wires = (): string[] => (audio?.asked ?? []).map(({ wire }) => wire);
const refusing = (wire: string, status: number, message: string) => (asked: AudioAsked) =>
  asked.wire === wire ? { body: { text: 'heard' } } : { status, body: { error: { message } } };

test('retries once as JSON for an endpoint that rejects multipart and stores that format across restarts', async () => {
  const script = refusing('json', 400, 'Invalid request: expected JSON body with input_audio');
  const { home } = await open(script);
  expect(await transcribe({ language: 'de' })).toMatchObject({ status: 200, body: { text: 'heard', language: 'de' } });
  expect(await transcribe()).toMatchObject({ status: 200 });
  expect(wires()).toEqual(['multipart', 'json', 'json']);
  expect(audio?.asked[1]).toMatchObject({ soundType: 'wav', fields: { model: 'nvidia/parakeet-tdt-0.6b-v3', language: 'de' } });
  expect(JSON.parse(await readFile(join(home, 'audio_wires.json'), 'utf8'))).toEqual({ [audio?.url ?? '']: 'json' });
  await harness.close({ keepFiles: true });
  await open(script, {}, home);
  expect(await transcribe()).toMatchObject({ status: 200 });
  expect(wires().slice(3)).toEqual(['json']);
});

test('detects the format again after an endpoint changed it', async () => {
  let takes = 'json';
  await open((asked) => (asked.wire === takes ? { body: { text: 'heard' } } : { status: 415, body: 'Unsupported Media Type' }));
  await transcribe();
  takes = 'multipart';
  expect(await transcribe()).toMatchObject({ status: 200 });
  await transcribe();
  expect(wires()).toEqual(['multipart', 'json', 'json', 'multipart', 'multipart']);
});

test('does not retry in the other format or store a format after an error about the recording, model or key', async () => {
  let answer: AudioAnswer = { status: 400, body: { error: { message: 'Audio file might be corrupted or unsupported' } } };
  const { home } = await open(() => answer);
  const { status, body } = await transcribe();
  expect([status, body.error.code]).toEqual([422, 'clip_refused']);
  expect(body.error.message).toContain('The recording is stored; you can try again.');
  answer = { status: 404, body: { error: { message: 'The model `nvidia/parakeet` does not exist or you do not have access to it.' } } };
  expect((await transcribe()).body.error).toMatchObject({ code: 'model_gone', message: expect.stringContaining('Set AGENT_TRANSCRIBE_MODEL') });
  answer = { status: 400, body: { error: { message: 'Model whisper-1 has been deprecated and is retired since 2027-02-26, use gpt-transcribe.' } } };
  expect((await transcribe()).body.error).toMatchObject({ code: 'model_gone', message: expect.stringContaining('use gpt-transcribe') });
  answer = { status: 401, body: { error: { message: 'Incorrect API key provided: main-key' } } };
  const refused = (await transcribe()).body.error;
  expect(refused).toMatchObject({ code: 'key_refused', message: expect.stringContaining('AGENT_TRANSCRIBE_API_KEY') });
  expect(refused.message).not.toContain('main-key');
  expect(wires()).toEqual(['multipart', 'multipart', 'multipart', 'multipart']);
  await expect(readFile(join(home, 'audio_wires.json'))).rejects.toThrow('ENOENT');
});

test('reports the error of the accepted format when both attempts fail', async () => {
  await open((asked) =>
    asked.wire === 'json'
      ? { status: 400, body: { error: { message: 'Audio is too short: at least 0.1 seconds' } } }
      : { status: 400, body: { error: { message: 'Could not parse JSON body' } } },
  );
  expect((await transcribe()).body.error).toMatchObject({ code: 'clip_refused', message: expect.stringContaining('too short') });
  await transcribe();
  expect(wires()).toEqual(['multipart', 'json', 'json']);
});

test('uses only the configured format', async () => {
  await open(refusing('multipart', 400, 'expected multipart/form-data'), { AGENT_TRANSCRIBE_WIRE: 'json' });
  expect((await transcribe()).status).toBe(422);
  expect(wires()).toEqual(['json']);
});

test('requests timestamps when asked for, prefers words to segments, and returns plain text without support', async () => {
  let hasTimes = true;
  const words = [
    { word: 'one', start: 0, end: 0.4 },
    { word: 'two', start: 0.5, end: '0.9' },
  ];
  await open(({ fields }) => {
    if (fields['response_format'] === 'json') return { body: { text: 'one two' } };
    if (!hasTimes) return { status: 400, body: { error: { message: "response_format 'verbose_json' is not compatible with this model" } } };
    return {
      body: {
        text: 'one two',
        duration: 1.5,
        language: 'english',
        segments: [{ id: 0, start: 0, end: 1, text: ' one two' }],
        ...(fields['timestamp_granularities[]'] === 'word' ? { words } : {}),
      },
    };
  });
  expect((await transcribe({ timestamps: 'segment' })).body).toMatchObject({
    ...{ durationSec: 1.5, language: 'english', segments: [{ start: 0, end: 1, text: 'one two' }] },
  });
  expect((await transcribe({ timestamps: 'word' })).body.segments).toEqual([
    { start: 0, end: 0.4, text: 'one' },
    { start: 0.5, end: 0.9, text: 'two' },
  ]);
  hasTimes = false;
  expect((await transcribe({ timestamps: 'segment' })).body).not.toHaveProperty('segments');
  expect((await transcribe({ timestamps: 'segment' })).status).toBe(200);
  // Timestamps are requested once more and then no longer.
  expect(audio?.asked.map(({ fields }) => fields['response_format'])).toEqual(['verbose_json', 'verbose_json', 'verbose_json', 'json', 'json']);
});

test('distinguishes errors about the request format from errors about the recording', () => {
  const aboutForm: readonly (readonly ['multipart' | 'json', number, string])[] = [
    ['multipart', 415, ''],
    ['multipart', 400, 'Unexpected token - in JSON at position 0'],
    ['multipart', 400, 'Invalid input: input_audio: Required'],
    ['multipart', 400, 'Bad Request'],
    ['json', 422, '{"detail":[{"type":"missing","loc":["body","file"],"msg":"Field required"},{"loc":["body","model"],"msg":"Field required"}]}'],
    ['json', 400, 'Missing required parameter: file'],
    ['json', 400, 'request Content-Type isn’t multipart/form-data'],
    ['json', 400, 'no multipart boundary param in Content-Type'],
  ];
  const aboutContent: readonly (readonly ['multipart' | 'json', number, string])[] = [
    ['multipart', 400, 'Audio file might be corrupted or unsupported'],
    ['multipart', 400, 'Invalid file format. Supported formats: flac, mp3, wav'],
    ['multipart', 400, 'model "x" is not a valid model'],
    ['json', 400, 'input_audio.data could not be decoded'],
    ['json', 400, 'audio duration 0.02 s is too short'],
    ['multipart', 401, 'expected JSON'],
    ['json', 429, 'multipart'],
    ['multipart', 413, 'payload too large'],
  ];
  for (const [wire, status, why] of aboutForm) expect([wire, why, isAboutForm(wire, status, why)]).toEqual([wire, why, true]);
  for (const [wire, status, why] of aboutContent) expect([wire, why, isAboutForm(wire, status, why)]).toEqual([wire, why, false]);
  expect([firstWire('https://openrouter.ai/api/v1'), firstWire('https://api.openai.com/v1'), firstWire('https://openrouter.ai.example/v1')]).toEqual([
    'json',
    'multipart',
    'multipart',
  ]);
  const sound = { path: '/clip', mimeType: 'audio/webm', size: 3, read: () => Promise.resolve(Buffer.alloc(3)) };
  const { json } = bodyOf('json', 'm', 'verbose_json', { sound, timestamps: 'word', caller: { plugin: 'p' } }) as { json: object };
  expect(json).toEqual({
    model: 'm',
    input_audio: { data: expect.any(String), format: 'webm' },
    response_format: 'verbose_json',
    timestamp_granularities: ['word'],
  });
});
