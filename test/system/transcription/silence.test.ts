// Tests that recordings without speech are not sent and that hallucinated text is removed.
import { afterEach, expect, test } from 'vitest';
import { withoutFiller } from '../../../builtins/voice/transcription/filler.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { testWith } from '../../helpers/programs-needed.ts';
import { startScriptedAudio, type ScriptedAudio } from '../../helpers/scripted-audio.ts';
import { babbleOf, dataUrlOf, spoken, toneOf, waveOf } from '../../helpers/spoken.ts';

let harness: Harness | undefined;
let audio: ScriptedAudio | undefined;
afterEach(async () => {
  await harness?.close();
  await audio?.close();
  harness = audio = undefined;
});

async function open(): Promise<void> {
  audio = await startScriptedAudio(({ fields }) => ({
    body:
      fields['response_format'] === 'json'
        ? { text: 'Thank you for watching.' }
        : {
            text: 'Ship it on Friday. Thank you for watching!',
            segments: [
              { start: 0, end: 1, text: ' Ship it on Friday.', no_speech_prob: 0.02 },
              { start: 1, end: 2, text: ' Thank you for watching!', no_speech_prob: 0.93 },
            ],
          },
  }));
  harness = await startHarness({
    builtins: ['audio-engines', 'audio-hosted', 'transcription', 'model-demo', 'model-chat-completions'],
    environment: audio.environment,
  });
}

async function transcribe(bytes: Buffer, fields: object = {}): Promise<any> {
  const { call } = harness as Harness;
  const { body } = await call('POST', '/api/audio/upload', { dataUrl: dataUrlOf(bytes) });
  return (await call('POST', '/api/transcribe', { attachmentId: body.attachmentId, ...fields })).body;
}

/** Deterministic noise. */
function noiseOf(seconds: number, level: number): Buffer {
  let state = 7;
  const next = (): number => ((state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) / 0x3fffffff - 1) * level * 32_767;
  return waveOf(Int16Array.from({ length: seconds * 16_000 }, next));
}

test('does not send silence, a click or fan noise', async () => {
  await open();
  const click = waveOf(Int16Array.from({ length: 32_000 }, (_, at) => (at > 10_000 && at < 10_200 ? 20_000 : 0)));
  for (const bytes of [toneOf(2, 0), toneOf(2, 0.0005), noiseOf(3, 0.05), click, waveOf(new Int16Array(0))])
    expect(await transcribe(bytes)).toMatchObject({ text: '', cost: 0, durationSec: expect.any(Number) });
  expect(audio?.asked).toEqual([]);
  expect(await transcribe(babbleOf(2))).toMatchObject({ text: 'Thank you for watching.' });
});

testWith('flite')('sends soft or short speech and speech in noise', async () => {
  await open();
  const speech = await spoken('yes');
  const samples = new Int16Array(speech.buffer, speech.byteOffset + 44, Math.floor((speech.length - 44) / 2));
  const noise = noiseOf(3, 0.02);
  const mixed = new Int16Array(noise.buffer, noise.byteOffset + 44, 48_000).map((sample, at) => sample + (samples[at - 8_000] ?? 0));
  const soft = samples.map((sample) => sample / 12);
  const long = noiseOf(60, 0.005);
  const late = new Int16Array(long.buffer, long.byteOffset + 44, 960_000).map((sample, at) => sample + (samples[at - 800_000] ?? 0));
  for (const bytes of [speech, ...[soft, mixed, late].map((one) => waveOf(Int16Array.from(one)))]) expect((await transcribe(bytes)).text).not.toBe('');
  expect(audio?.asked).toHaveLength(4);
});

test('removes filler phrases that the engine marks as no speech', async () => {
  await open();
  expect(await transcribe(babbleOf(2), { timestamps: 'segment' })).toMatchObject({ text: 'Ship it on Friday.', segments: [{ end: 1 }] });
  const one = (text: string, noSpeech?: number): string =>
    withoutFiller({ text, segments: [{ start: 0, end: 1, text, ...(noSpeech === undefined ? {} : { noSpeech }) }] }).text;
  expect(['Thank you.', 'Untertitel der Amara.org-Community', '[Music]', 'you', 'Ship it.'].map((text) => one(text, 0.9))).toEqual([
    '',
    '',
    '',
    '',
    'Ship it.',
  ]);
  expect([one('Thank you.', 0.1), one('Thank you.')]).toEqual(['Thank you.', 'Thank you.']);
});
