// Tests audio processing of the page with synthesised sentences.
import { expect, test } from 'vitest';
import { createEndOfSpeech, type EndOfSpeech } from '../../../builtins/voice/transcription/ui/sound/end-of-speech.ts';
import { createFramer, dbOf, frameMs, powerOf, rate } from '../../../builtins/voice/transcription/ui/sound/frames.ts';
import { isEcho } from '../../../builtins/voice/transcription/ui/sound/echo-check.ts';
import { createResampler } from '../../../builtins/voice/transcription/ui/sound/resample.ts';
import { toPcm, wavOf } from '../../../builtins/voice/transcription/ui/sound/wav.ts';
import { diceFrom, seed } from '../../helpers/dice.ts';
import { testWith } from '../../helpers/programs-needed.ts';
import { joined, noisy, samplesOf, silence, speak } from '../../helpers/spoken-samples.ts';

const testSpeech = testWith('espeak-ng');
const sentences = [
  'Please open the file and read it to me.',
  'What did the tests say about the second step?',
  'Fix the list, then run everything once more',
  'I think that the first half is fine',
  'Show me how much this chat has cost',
];
const voices = ['en-us', 'en-gb', 'en-us+f3', 'de', 'en-us+m3'];

function endOf(detector: EndOfSpeech, samples: Float32Array): number | undefined {
  const index = createFramer()(samples).findIndex((frame) => detector.push(frame) === 'ended');
  return index < 0 ? undefined : (index + 1) * frameMs;
}

const msOf = (samples: Float32Array): number => (samples.length / rate) * 1000;

test('resamples any rate to 16 kHz, streamed or whole, without aliasing', () => {
  const tone = (hertz: number, from: number, seconds = 0.5): Float32Array =>
    Float32Array.from({ length: from * seconds }, (_, index) => 0.5 * Math.sin((2 * Math.PI * hertz * index) / from));
  for (const from of [8_000, 22_050, 44_100, 48_000, 96_000]) {
    const whole = createResampler(from, rate).push(tone(1_000, from));
    expect(Math.abs(whole.length - rate / 2)).toBeLessThan(30);
    const middle = whole.slice(1_000, 7_000);
    const wanted = tone(1_000, rate).slice(1_000, 7_000);
    expect(dbOf(powerOf(middle)), `${from}`).toBeCloseTo(dbOf(powerOf(wanted)), 1);
    const inPieces = createResampler(from, rate);
    const source = tone(1_000, from);
    const pieces: Float32Array[] = [];
    for (let at = 0; at < source.length; at += 128) pieces.push(inPieces.push(source.subarray(at, at + 128)));
    const cut = joined(...pieces);
    expect([cut.length, cut.every((sample, index) => Math.abs(sample - (whole[index] as number)) < 1e-5)]).toEqual([whole.length, true]);
  }
  expect(dbOf(powerOf(createResampler(48_000, rate).push(tone(11_000, 48_000)).slice(1_000, 7_000)))).toBeLessThan(-70);
});

test('encodes a clip as a valid WAV file', () => {
  const file = Buffer.from(wavOf([toPcm(new Float32Array([0, 1, -1])), toPcm(new Float32Array([0.5, 7]))], rate));
  expect([file.toString('latin1', 0, 4), file.readUInt32LE(4), file.toString('latin1', 8, 16)]).toEqual(['RIFF', file.length - 8, 'WAVEfmt ']);
  expect([file.readUInt16LE(20), file.readUInt16LE(22), file.readUInt32LE(24), file.readUInt32LE(28), file.readUInt16LE(34)]).toEqual([
    1, 1, 16_000, 32_000, 16,
  ]);
  expect([...samplesOf(file)].map((sample) => Math.round(sample * 10) / 10)).toEqual([0, 1, -1, 0.5, 1]);
});

testSpeech('speech ends 700 ms after its last sound, within 50 ms, in silence and with hum', () => {
  const roll = diceFrom(seed);
  const off: number[] = [];
  for (const voice of voices)
    for (const [index, sentence] of sentences.entries()) {
      const said = joined(silence(300), speak(sentence, { voice, speed: 130 + 20 * index, pitch: 30 + 10 * index }));
      const clip = noisy(joined(said, silence(1_500)), index % 2 === 0 ? -90 : -62, roll);
      off.push((endOf(createEndOfSpeech(), clip) ?? Infinity) - msOf(said) - 700);
    }
  expect(off.filter((ms) => Math.abs(ms) > 50)).toEqual([]);
});

testSpeech(
  'a pause of 600 ms inside speech does not end it, in 100 clips',
  () => {
    const roll = diceFrom(seed);
    let cuts = 0;
    let ends = 0;
    for (let clip = 0; clip < 100; clip++) {
      const part = (): Float32Array => {
        const index = Math.floor(voices.length * roll());
        return speak(sentences[Math.floor(sentences.length * roll())] as string, { voice: voices[index] as string, speed: 120 + 20 * index });
      };
      const [first, second, third] = [part(), part(), part()];
      const said = joined(silence(200), first, silence(600), second, silence(600), third);
      const end = endOf(createEndOfSpeech(), noisy(joined(said, silence(1_200)), clip % 3 === 0 ? -62 : -85, roll));
      if (end === undefined || end < msOf(said)) cuts++;
      else ends++;
    }
    expect([cuts, ends]).toEqual([0, 100]);
  },
  60_000,
);

testSpeech('a complete sentence ends after 350 ms, an incomplete or short one later, and held speech never', () => {
  const said = joined(silence(200), speak('Please open the file and read it to me.'));
  const clip = joined(said, silence(1_500));
  const after = (change: (detector: EndOfSpeech) => void): number | undefined => {
    const detector = createEndOfSpeech();
    change(detector);
    const end = endOf(detector, clip);
    return end === undefined ? undefined : Math.round((end - msOf(said)) / 50) * 50;
  };
  expect([after((one) => one.hear('Read it to me.')), after((one) => one.hear('and then'))]).toEqual([350, 700]);
  expect(after((one) => one.hold(true))).toBe(undefined);
  const short = joined(speak('Yes.'), silence(1_500));
  const one = createEndOfSpeech();
  one.hear('Yes.');
  expect(endOf(one, short)).toBeGreaterThan(msOf(speak('Yes.')) + 340);
  const other = createEndOfSpeech({ pauseMs: 1_200 });
  expect(Math.abs((endOf(other, clip) ?? 0) - msOf(said) - 1_200)).toBeLessThanOrEqual(50);
  const waits = createEndOfSpeech();
  expect(endOf(waits, clip)).toBeDefined();
  waits.wait();
  expect(endOf(waits, silence(680))).toBe(undefined);
  expect(endOf(waits, silence(40))).toBe(20);
});

test('detects no speech in silence, hum or a click', () => {
  const roll = diceFrom(seed);
  const click = silence(40).map((_, index) => (index < 400 ? 0.4 * (2 * roll() - 1) : 0));
  for (const clip of [silence(5_000), noisy(silence(5_000), -50, roll), noisy(joined(silence(1_000), click, silence(3_000)), -70, roll)]) {
    const detector = createEndOfSpeech();
    expect(endOf(detector, clip)).toBe(undefined);
    expect(detector.spokenMs).toBe(0);
  }
});

test('distinguishes the page’s own speech from an answer', () => {
  const spoken = 'Shall I delete the old file, or keep it? It has 12 lines.';
  expect(['or keep it?', 'Delete the OLD file', 'it has 12 lines'].map((heard) => isEcho(heard, spoken))).toEqual([true, true, true]);
  expect(['keep the old file', 'old fil', 'no', '', '…'].map((heard) => isEcho(heard, spoken))).toEqual([false, false, false, false, false]);
});
