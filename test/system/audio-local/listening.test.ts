// Tests transcription by local programs: real speech, every file format, no key and no network.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { testWith } from '../../helpers/programs-needed.ts';
import { babbleOf, dataUrlOf, spoken } from '../../helpers/spoken.ts';
import { isAlive } from '../../helpers/build-lock.ts';

let harness: Harness | undefined;
let folder = '';
const path = process.env['PATH'] ?? '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-'));
});
afterEach(async () => {
  process.env['PATH'] = path;
  await harness?.close();
  harness = undefined;
  await rm(folder, { recursive: true });
});

const open = async (environment: Record<string, string> = {}): Promise<Harness> =>
  (harness = await startHarness({
    builtins: ['audio-engines', 'audio-hosted', 'audio-local', 'transcription', 'model-demo', 'model-chat-completions'],
    environment,
  }));

async function transcribe(bytes: Buffer, fields: object = {}): Promise<{ status: number; body: any }> {
  const { call } = harness as Harness;
  const { body } = await call('POST', '/api/audio/upload', { dataUrl: dataUrlOf(bytes) });
  return call('POST', '/api/transcribe', { attachmentId: body.attachmentId, ...fields });
}

async function install(name: string, text: string): Promise<void> {
  await writeFile(join(folder, name), `#!${process.execPath}\n${text}`, { mode: 0o755 });
  process.env['PATH'] = folder;
}

const sentence = 'please remember to buy milk and bread tomorrow morning';
/** Transcription takes seconds of CPU time, which a busy machine provides slowly. */
const patience = 180_000;

testWith('flite', 'pocketsphinx_continuous')(
  'transcribes speech with word times by a local program',
  async () => {
    const { call, home } = await open();
    await mkdir(join(home, 'audio_tmp', 'run-old'), { recursive: true });
    expect((await call('GET', '/api/audio/engines')).body.transcription).toMatchObject({ inUse: 'pocketsphinx' });
    const { status, body } = await transcribe(await spoken(sentence), { timestamps: 'word' });
    expect([status, body.text, body.cost, body.language, body.engine]).toEqual([200, sentence, 0, 'en', 'pocketsphinx']);
    expect(body.segments.map(({ text }: { text: string }) => text)).toEqual(sentence.split(' '));
    for (const { start, end } of body.segments) expect(start < end && end <= body.durationSec).toBe(true);
    expect(await readdir(join(home, 'audio_tmp'))).toEqual([]);
  },
  patience,
);

testWith('flite', 'pocketsphinx_continuous', 'ffmpeg')(
  'transcribes each audio format and reports a truncated file',
  async () => {
    await open();
    const wave = join(folder, 'said.wav');
    await writeFile(wave, await spoken(sentence));
    for (const [name, options] of [
      ['a.wav', ['-ar', '44100', '-ac', '2', '-c:a', 'pcm_s24le']],
      ['a.webm', ['-c:a', 'libopus']],
      ['a.m4a', []],
    ] as const) {
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', wave, ...options, join(folder, name)]);
      expect([name, (await transcribe(await readFile(join(folder, name)))).body.text]).toEqual([name, sentence]);
    }
    const whole = await readFile(join(folder, 'a.m4a'));
    const cut = await transcribe(whole.subarray(0, whole.length / 2));
    expect([cut.status, cut.body.error?.code]).toEqual([502, 'program_failed']);
    expect(cut.body.error.message).toContain('ffmpeg failed');
  },
  patience,
);

test('names the programs to install if none is found, and never starts a disabled one', async () => {
  process.env['PATH'] = folder;
  await open();
  const refused = await transcribe(babbleOf(1));
  expect([refused.status, refused.body.error.code]).toEqual([503, 'no_engine']);
  for (const word of ['AGENT_API_KEY', 'whisper-cli', 'pocketsphinx-en-us']) expect(refused.body.error.message).toContain(word);
  await install('pocketsphinx_continuous', "require('node:fs').writeFileSync(process.argv[1] + '.ran', '')");
  await harness?.close();
  const { call } = await open();
  expect((await call('GET', '/api/audio/engines')).body.transcription.inUse).toBe('pocketsphinx');
  await call('PUT', '/api/settings', { harness: { env: { AGENT_SPEECH_LOCAL: '0' } } });
  expect((await transcribe(babbleOf(1))).body.error.message).toContain('AGENT_SPEECH_LOCAL=1');
  expect(existsSync(join(folder, 'pocketsphinx_continuous.ran'))).toBe(false);
});

test('prefers whisper.cpp if it has a model and passes it the options but no secrets', async () => {
  await install(
    'whisper-cli',
    `const fs = require('node:fs'); const args = process.argv.slice(2);
     fs.writeFileSync(${JSON.stringify(join(folder, 'seen.json'))}, JSON.stringify({ args, env: Object.keys(process.env), wav: fs.readFileSync(args[3]).toString('latin1', 0, 4) }));
     fs.writeFileSync(args[args.indexOf('-of') + 1] + '.json', JSON.stringify({ result: { language: 'de' }, transcription: [
       { offsets: { from: 0, to: 400 }, text: ' Guten' }, { offsets: { from: 400, to: 900 }, text: ' Tag.' } ] }));`,
  );
  const { home, call } = await open({ AGENT_TRANSCRIBE_ENGINE: 'whisper', SECRET_KEY: 'hidden' });
  expect((await transcribe(babbleOf(1))).body.error.message).toContain('AGENT_WHISPER_MODEL');
  await mkdir(join(home, 'models'));
  await writeFile(join(home, 'models', 'ggml-tiny.bin'), '');
  expect((await call('GET', '/api/audio/engines')).body.transcription.inUse).toBe('whisper');
  const { body } = await transcribe(babbleOf(1), { timestamps: 'word', language: 'de-AT', prompt: 'Ada' });
  expect(body).toMatchObject({
    text: 'Guten Tag.',
    language: 'de',
    cost: 0,
    engine: 'whisper',
    segments: [{ start: 0, end: 0.4, text: 'Guten' }, { end: 0.9 }],
  });
  const seen = JSON.parse(await readFile(join(folder, 'seen.json'), 'utf8'));
  expect(seen.args.join(' ')).toMatch(/-m \S+ggml-tiny\.bin -f \S+ -l de -oj -of \S+ -np --prompt Ada -ml 1 -sow$/);
  expect([seen.wav, seen.env.filter((name: string) => /KEY|TOKEN|SECRET|AGENT/.test(name))]).toEqual(['RIFF', []]);
});

test('reports a failing program, an unsupported language and a missing ffmpeg', async () => {
  await install('pocketsphinx_continuous', "console.error('the model is broken'); process.exit(3)");
  await open();
  const failed = await transcribe(babbleOf(1));
  expect([failed.status, failed.body.error.code]).toEqual([502, 'program_failed']);
  expect(failed.body.error.message).toContain('the model is broken');
  expect((await transcribe(babbleOf(1), { language: 'de' })).body.error).toMatchObject({
    code: 'language',
    message: expect.stringContaining('supports only English'),
  });
  expect((await transcribe(Buffer.concat([Buffer.from('OggS'), Buffer.alloc(100)]))).body.error).toMatchObject({ code: 'needs_ffmpeg' });
});

testWith('flite', 'ffmpeg')('opens no file named in a playlist disguised as a recording', async () => {
  const said = join(folder, 'secret.mp3');
  await writeFile(join(folder, 'secret.wav'), await spoken(sentence));
  execFileSync('ffmpeg', ['-v', 'error', '-i', join(folder, 'secret.wav'), said]);
  await install('pocketsphinx_continuous', "console.log('read 0.1 0.2 1')");
  process.env['PATH'] = `${folder}:${path}`;
  await open({ AGENT_TRANSCRIBE_ENGINE: 'pocketsphinx' });
  const head = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 0]);
  const list = `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://${said}\n#EXT-X-ENDLIST\n`;
  expect((await transcribe(Buffer.concat([head, Buffer.from(list)]))).body.error?.code).toBe('program_failed');
});

test('ends the program and its child processes when the client disconnects', async () => {
  await install(
    'pocketsphinx_continuous',
    `const other = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
     require('node:fs').writeFileSync(process.argv[1] + '.pid', process.pid + ' ' + other.pid); setInterval(() => {}, 1000)`,
  );
  const { call, url, token } = await open();
  const { body } = await call('POST', '/api/audio/upload', { dataUrl: dataUrlOf(babbleOf(1)) });
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const going = fetch(`${url}/api/transcribe`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ attachmentId: body.attachmentId }),
    signal: stop.signal,
  }).catch(() => undefined);
  const pids = await vi.waitFor(
    async () => {
      const found = /^(\d+) (\d+)$/.exec(await readFile(join(folder, 'pocketsphinx_continuous.pid'), 'utf8'));
      return found ? found.slice(1).map(Number) : Promise.reject(new Error('none'));
    },
    { timeout: 20_000 },
  );
  stop.abort();
  await going;
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 20_000 });
});
