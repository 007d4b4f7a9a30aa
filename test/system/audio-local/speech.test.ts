// Tests speech by local programs.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readWave } from '#lib/sound';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { testWith } from '../../helpers/programs-needed.ts';

let harness: Harness;
afterEach(async () => {
  expect(await harness.close()).toEqual([]);
});

async function start(environment: Record<string, string> = {}): Promise<void> {
  harness = await startHarness({ builtins: ['audio-engines', 'audio-local', 'speech', 'model-demo'], environment: { AGENT_TTS_ENABLED: '1', ...environment } });
}
async function speak(text: string, more: object = {}): Promise<{ seconds: number; durationSec: number; cost: number; bytes: Buffer }> {
  const { status, body } = await harness.call('POST', '/api/tts', { text, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  const [clip] = body.clips;
  const reply = await fetch(harness.url + clip.url, { headers: { authorization: `Bearer ${harness.token}` } });
  const bytes = Buffer.from(await reply.arrayBuffer());
  return { seconds: readWave(bytes, bytes.length)?.seconds ?? 0, durationSec: clip.durationSec, cost: body.cost, bytes };
}

testWith('espeak-ng')('espeak-ng synthesizes speech without cost, longer for more words', async () => {
  await start();
  const engines = (await harness.call('GET', '/api/audio/engines')).body.speech;
  expect(engines.inUse).toBe('espeak-ng');
  expect(engines.engines.find((one: { name: string }) => one.name === 'espeak-ng')).toMatchObject({ place: 'here', isUsable: true });
  const short = await speak('Hello there.');
  const long = await speak('Hello there, and a good many more words than before.');
  expect(short.cost).toBe(0);
  expect(short.seconds).toBeGreaterThan(0.5);
  expect(short.seconds).toBeCloseTo(short.durationSec, 2);
  expect(long.seconds).toBeGreaterThan(short.seconds * 1.8);
  const own = execFileSync('espeak-ng', ['--stdout', '-v', 'en-us+f3', 'Hello there.']);
  expect(short.seconds).toBeCloseTo(readWave(own, own.length)?.seconds ?? 0, 1);
});

testWith('espeak-ng')('text is never read as an option, a file name or phoneme input', async () => {
  await start();
  const version = await speak('--version');
  const file = await speak('-f /etc/hostname says it all, and then some.');
  const sounds = await speak("[[h@'l@U]] is written, [[w'3:ld]] too.");
  for (const one of [version, file, sounds]) expect(one.seconds).toBeGreaterThan(0.4);
  expect(file.seconds).toBeGreaterThan(version.seconds);
});

testWith('espeak-ng')('selects a voice by name or language, and the default for an unknown one', async () => {
  await start();
  const [plain, german, unknown] = [
    await speak('Eins zwei drei.', { voice: 'en-us' }),
    await speak('Eins zwei drei.', { voice: 'de' }),
    await speak('Eins zwei drei.', { voice: 'nobody' }),
  ];
  expect(german.bytes.equals(plain.bytes)).toBe(false);
  expect(unknown.bytes.equals(plain.bytes)).toBe(true);
});

testWith('flite')('flite synthesizes speech if selected', async () => {
  await start({ AGENT_TTS_ENGINE: 'flite' });
  const { seconds, durationSec } = await speak('Hello there, this is another voice.');
  expect(seconds).toBeGreaterThan(1);
  expect(seconds).toBeCloseTo(durationSec, 2);
});

testWith('flite', 'pocketsphinx_continuous')(
  'a speech recogniser reads the text back from the clip',
  async () => {
    await start({ AGENT_TTS_ENGINE: 'flite' });
    const { bytes } = await speak('## Please **open** the [window](https://example.org/a.b) and `close` the door 🚪');
    const file = join(harness.workspace, 'clip.wav');
    await writeFile(file, bytes);
    const transcript = execFileSync('pocketsphinx_continuous', ['-infile', file, '-logfn', '/dev/null'], { encoding: 'utf8' });
    expect(transcript.trim()).toBe('please open the window and close the door');
    // A busy machine has little CPU time to spare.
  },
  180_000,
);

test('returns an error that names the setting if local speech is disabled', async () => {
  await start({ AGENT_SPEECH_LOCAL: '0' });
  const { status, body } = await harness.call('POST', '/api/tts', { text: 'Hello.' });
  expect([status, body.error.code]).toEqual([503, 'no_engine']);
  expect(body.error.message).toContain('AGENT_SPEECH_LOCAL=1');
});
