// Tests barge-in: speech during a spoken reply, and the echo of the reply alone in the microphone.
import { expect } from 'vitest';
import { createBargeIn, type BargeInAct } from '../../../builtins/voice/transcription/ui/sound/barge-in.ts';
import { createFramer, frameMs, frameSamples, rate } from '../../../builtins/voice/transcription/ui/sound/frames.ts';
import { diceFrom, seed } from '../../helpers/dice.ts';
import { testWith } from '../../helpers/programs-needed.ts';
import { joined, mixed, noisy, silence, speak, trim } from '../../helpers/spoken-samples.ts';

const testSpeech = testWith('espeak-ng');
const replies = [
  'The file has twelve lines, and the third one is wrong. It adds the numbers before it reads them.',
  'I ran the tests. Two of them failed, both in the same file, and both for the same reason.',
  'That is done. Shall I write a note about it, so that the next chat knows?',
  'There are three ways. The first is quick, the second is safe, and the third is neither.',
  'Yes.',
];
const calls = ['Stop', 'No, wait a moment', 'Hold on please', 'Actually, do it another way', 'Thank you, that is enough', 'Wait'];

interface Scene {
  readonly played: Float32Array;
  readonly echoDb: number;
  readonly delayMs: number;
  readonly said?: { readonly samples: Float32Array; readonly atMs: number; readonly db: number };
  readonly roll: () => number;
}

/** Returns every action with its time. Lowers and stops the voice like the page. */
function play(barge: ReturnType<typeof createBargeIn>, { played, echoDb, delayMs, said, roll }: Scene): { readonly act: BargeInAct; readonly atMs: number }[] {
  const acts: { act: BargeInAct; atMs: number }[] = [];
  const quiet = noisy(new Float32Array(played.length), -68, roll);
  const room = said ? mixed(quiet, said.samples, said.atMs, said.db) : quiet;
  const out = new Float32Array(played.length);
  const echo = 10 ** (echoDb / 20);
  const delay = Math.round((rate * delayMs) / 1000);
  const framer = createFramer();
  const levels = createFramer();
  let gain = 1;
  let at = 0;
  for (let from = 0; from + frameSamples <= played.length; from += frameSamples) {
    const captured = new Float32Array(frameSamples);
    for (let index = from; index < from + frameSamples; index++) {
      out[index] = gain * (played[at++] as number);
      captured[index - from] = (room[index] as number) + echo * (out[index - delay] ?? 0);
    }
    const [level] = levels(out.subarray(from, from + frameSamples));
    for (const frame of framer(captured)) {
      const act = barge.push(frame, level?.db ?? -100);
      if (act === undefined) continue;
      acts.push({ act, atMs: from / (rate / 1000) + frameMs });
      gain = { duck: 0.25, stop: 0, sure: 0, restore: 1, resume: 1 }[act];
    }
  }
  return acts;
}

testSpeech(
  '200 spoken replies with an echo at -20 to -6 dB are not stopped',
  () => {
    const roll = diceFrom(seed);
    const spoken = replies.map((text, index) => joined(speak(text, { voice: ['en-us', 'en-us+f3', 'en-gb'][index % 3] as string }), silence(200)));
    let stops = 0;
    let ducks = 0;
    for (let run = 0; run < 20; run++) {
      const barge = createBargeIn();
      const echoDb = -20 + 14 * roll();
      const delayMs = 10 + 240 * roll();
      for (let reply = 0; reply < 10; reply++) {
        barge.reset();
        const acts = play(barge, { played: spoken[(run + reply) % spoken.length] as Float32Array, echoDb, delayMs, roll });
        stops += acts.filter(({ act }) => act === 'stop').length;
        ducks += acts.filter(({ act }) => act === 'duck').length;
      }
    }
    expect(stops).toBe(0);
    expect(ducks).toBeLessThan(10);
  },
  60_000,
);

testSpeech(
  'speech of the user stops the reply within 200 ms',
  () => {
    const roll = diceFrom(seed + 1);
    const late: number[] = [];
    for (let run = 0; run < 60; run++) {
      const barge = createBargeIn();
      const played = joined(...replies.slice(0, 4).map((text) => speak(text)));
      const echoDb = -30 + 18 * roll();
      // Starts where the speech is audible over the reply.
      const samples = trim(speak(calls[run % calls.length] as string, { voice: run % 2 === 0 ? 'en-us+m3' : 'en-gb' }), 0.05);
      const atMs = 2_000 + Math.floor(6_000 * roll());
      const acts = play(barge, { played, echoDb, delayMs: 10 + 200 * roll(), said: { samples, atMs, db: 0 }, roll });
      const before = acts.filter(({ act, atMs: at }) => act === 'stop' && at < atMs);
      expect(before).toEqual([]);
      late.push((acts.find(({ act, atMs: at }) => act === 'stop' && at >= atMs)?.atMs ?? Infinity) - atMs);
    }
    late.sort((a, b) => a - b);
    expect(late[Math.ceil(0.95 * late.length) - 1]).toBeLessThanOrEqual(200);
  },
  60_000,
);
