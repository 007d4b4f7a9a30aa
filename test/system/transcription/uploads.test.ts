// Tests audio uploads: detection by content, size limit, streamed JSON, and clear errors that leave no file.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'node:http';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { soundTypeOf } from '../../../plugins/lib/sound.ts';
import { runs } from '../../helpers/dice.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { testWith } from '../../helpers/programs-needed.ts';
import { babbleOf, dataUrlOf, toneOf } from '../../helpers/spoken.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const open = async (environment: Record<string, string> = {}): Promise<Harness> =>
  (harness = await startHarness({ builtins: ['audio-engines', 'audio-hosted', 'transcription', 'model-demo', 'model-chat-completions'], environment }));

const send = (body: unknown): ReturnType<Harness['call']> => (harness as Harness).call('POST', '/api/audio/upload', body);

/** Sends the text verbatim in writes of `size` bytes. */
function sendText(text: string, size: number, headers: Record<string, string> = {}): Promise<{ status: number; body: any }> {
  const { url, token } = harness as Harness;
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(text);
    const going = request(`${url}/api/audio/upload`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    });
    going.on('error', reject).on('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => void chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) }));
    });
    for (let at = 0; at < bytes.length; at += size) going.write(bytes.subarray(at, at + size));
    going.end();
  });
}

async function storedFiles(): Promise<string[]> {
  const { home } = harness as Harness;
  const chats = await readdir(join(home, 'chats')).catch(() => []);
  const folders = chats.map((chat) => join(home, 'chats', chat, 'audio')).filter((folder) => existsSync(folder));
  return (await Promise.all(folders.map((folder) => readdir(folder)))).flat();
}

test('rejects invalid requests with the reason and stores nothing', async () => {
  await open();
  const good = dataUrlOf(babbleOf(0.2));
  const bad: readonly (readonly [unknown, string])[] = [
    [{}, "'dataUrl' is missing."],
    [{ name: 'a' }, "'dataUrl' is missing."],
    [{ dataUrl: 5 }, "'dataUrl' must be a text."],
    [{ dataUrl: 'hello' }, 'base64 data URL'],
    [{ dataUrl: 'data:audio/wav,hello' }, 'base64 data URL'],
    [{ dataUrl: `data:${'x'.repeat(2_000)};base64,AAAA` }, 'base64 data URL'],
    [{ dataUrl: 'data:audio/wav;base64,AA AA' }, 'not base64'],
    [{ dataUrl: 'data:audio/wav;base64,AA==AA' }, 'not base64'],
    [{ dataUrl: 'data:audio/wav;base64,AAAAA' }, 'not base64'],
    [{ dataUrl: good, other: 'x' }, "'other' is not a field"],
    [{ dataUrl: good, name: 'n'.repeat(10_000) }, 'too long'],
    [[good], 'not a JSON object'],
  ];
  for (const [body, why] of bad) {
    const { status, body: reply } = await send(body);
    expect([status, reply.error.code, reply.error.message]).toEqual([400, 'invalid_request', expect.stringContaining(why)]);
  }
  for (const text of ['', '{', `{"dataUrl":"${good}"`, `{"dataUrl":"${good}"}}`, `{"dataUrl":"${good}","dataUrl":"${good}"}`, `{"dataUrl":"${good}\\x"}`]) {
    expect([text.slice(-9), (await sendText(text, 1_000)).status]).toEqual([text.slice(-9), 400]);
  }
  expect((await sendText(`{"dataUrl":"${good}"}`, 1_000, { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await send({ dataUrl: 'data:audio/wav;base64,' })).body.error).toMatchObject({ code: 'not_audio', message: expect.stringContaining('it is empty') });
  for (const bytes of [
    Buffer.from('%PDF-1.7 and so on'),
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 0]),
    Buffer.from('RIFF1234AVI LIST'),
    Buffer.alloc(64),
  ])
    expect([(await send({ dataUrl: dataUrlOf(bytes) })).status, (await send({ dataUrl: dataUrlOf(bytes) })).body.error.code]).toEqual([400, 'not_audio']);
  expect((await harness?.call('POST', '/api/audio/upload?chatId=chat_none', { dataUrl: good }))?.status).toBe(404);
  expect(await storedFiles()).toEqual([]);
});

test('accepts uploads up to the configured size and rejects one byte more', async () => {
  const { call } = await open();
  const whole = Buffer.alloc(26_214_400);
  toneOf(1, 0.2).copy(whole);
  expect((await send({ dataUrl: dataUrlOf(whole) })).body).toMatchObject({ mimeType: 'audio/wav', bytes: 26_214_400 });
  const over = await send({ dataUrl: dataUrlOf(Buffer.concat([whole, Buffer.alloc(1)])) });
  expect([over.status, over.body.error]).toEqual([413, expect.objectContaining({ code: 'too_large', message: expect.stringContaining('26214400') })]);
  // Without a content length, the size is known only at the end.
  const chunked = await sendText(JSON.stringify({ dataUrl: dataUrlOf(Buffer.concat([whole, Buffer.alloc(1)])) }), 1_000_000);
  expect([chunked.status, chunked.body.error.code]).toEqual([413, 'too_large']);
  const patched = await call('PUT', '/api/settings', { harness: { env: { AGENT_TRANSCRIBE_MAX_BYTES: '1000' } } });
  expect(patched.status).toBe(200);
  expect((await send({ dataUrl: dataUrlOf(babbleOf(0.1)) })).status).toBe(413);
  // Rejected by its content length. The reply still arrives.
  expect((await send({ dataUrl: dataUrlOf(whole) })).status).toBe(413);
  expect(await storedFiles()).toHaveLength(1);
});

test('decodes the same bytes for any chunking and escaping', async () => {
  const { call, home } = await open();
  const { chatId } = (await call('POST', '/api/chats', {})).body;
  const types = ['audio/wav', 'audio/webm;codecs=opus', 'audio/ogg; codecs="vorbis, opus"', 'application/octet-stream'];
  const given = [
    fc.uint8Array({ maxLength: 200 }),
    fc.constantFrom(...types),
    fc.boolean(),
    fc.boolean(),
    fc.boolean(),
    fc.integer({ min: 1, max: 300 }),
  ] as const;
  await fc.assert(
    fc.asyncProperty(...given, async (rest, type, hasSlashes, hasCodes, hasBlanks, size) => {
      const bytes = Buffer.concat([babbleOf(0.01), rest]);
      let text = JSON.stringify({ name: 'ä "q" \n 🎤', dataUrl: dataUrlOf(bytes, type) });
      if (hasSlashes) text = text.replaceAll('/', '\\/');
      if (hasCodes) text = text.replaceAll('A', '\\u0041');
      if (hasBlanks) text = text.replace('{', ' {\n ').replace('":', '" :\t').replace(/\}$/, ' } \n');
      const { status, body } = await sendText(text, size);
      expect([status, body.bytes]).toEqual([200, bytes.length]);
      expect((await readFile(join(home, 'chats', chatId, 'audio', body.attachmentId))).equals(bytes)).toBe(true);
    }),
    runs(50),
  );
});

test('returns 503 on both routes when disabled, and reports it in the configuration', async () => {
  const { call } = await open({ AGENT_TRANSCRIBE_ENABLED: '0', AGENT_DICTATION_AUDIO_CUE: '1', AGENT_DICTATION_WEB_SPEECH: '1' });
  for (const [path, body] of [
    ['/api/audio/upload', { dataUrl: dataUrlOf(babbleOf(0.1)) }],
    ['/api/transcribe', { attachmentId: 'att_0' }],
  ] as const) {
    const { status, body: reply } = await call('POST', path, body);
    expect([status, reply.error.code]).toEqual([503, 'disabled']);
  }
  expect((await call('GET', '/api/config')).body).toMatchObject({ transcribeEnabled: false, dictationWebSpeech: true, dictationAudioCue: true });
  expect(await storedFiles()).toEqual([]);
});

test('returns not_found for an unknown recording and one of another chat', async () => {
  const { call } = await open();
  const { body } = await send({ dataUrl: dataUrlOf(babbleOf(0.1)) });
  await call('POST', '/api/chats', { workspaceMode: 'scratch' });
  for (const attachmentId of [body.attachmentId, 'att_00000000000000000000000000', '../../secret', 'x'])
    expect((await call('POST', '/api/transcribe', { attachmentId })).body.error.code).toBe('not_found');
  expect((await call('POST', '/api/transcribe', { attachmentId: body.attachmentId, prompt: 'p'.repeat(1_501) })).status).toBe(400);
  expect((await call('GET', '/api/config')).body).toMatchObject({ transcribeEnabled: true, dictationWebSpeech: false, dictationAudioCue: false });
});

testWith('ffmpeg')('detects each recorded audio format by its bytes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kinds-'));
  try {
    const kinds: readonly (readonly [file: string, type: string, options?: readonly string[]])[] = [
      ['a.wav', 'audio/wav'],
      ['a.mp3', 'audio/mpeg'],
      ['b.mp3', 'audio/mpeg', ['-id3v2_version', '0', '-write_xing', '0']],
      ['a.ogg', 'audio/ogg'],
      ['a.webm', 'audio/webm', ['-c:a', 'libopus']],
      ['a.m4a', 'audio/mp4'],
      ['a.mp4', 'audio/mp4'],
      ['a.flac', 'audio/flac'],
      ['a.aac', 'audio/aac'],
    ];
    for (const [name, type, options = []] of kinds) {
      const path = join(folder, name);
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'sine=duration=0.3', ...options, path]);
      const bytes = await readFile(path);
      expect([name, soundTypeOf(bytes.subarray(0, 4_096))]).toEqual([name, type]);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
