// Detects whether a recording contains speech. Models invent words for silence and steady noise, so such recordings are not sent.
import { createReadStream } from 'node:fs';
import type { Wave } from '#lib/sound';

const frameSeconds = 0.03;
/** Minimum RMS level relative to full scale; speech into a microphone is louder. */
const softest = 0.0018;
/** Minimum total duration of a word, in seconds. */
const leastSeconds = 0.09;
/** Duration in seconds. A level that stays within 4 dB for this time is steady noise, such as a fan. */
const steadySeconds = 1;
const steadyRatio = 1.6;

/** Returns whether a recording contains speech; `undefined` if it cannot be analysed. */
export async function hasSpeech(path: string, wave: Wave): Promise<boolean | undefined> {
  const { coding, bits, channels, rate, start, length } = wave;
  if (coding !== 1 || bits !== 16 || channels < 1) return undefined;
  const frameSamples = Math.max(1, Math.round(frameSeconds * rate)) * channels;
  const levels: number[] = [];
  let square = 0;
  let count = 0;
  let odd: number | undefined;
  const add = (sample: number): void => {
    square += sample * sample;
    if (++count < frameSamples) return;
    levels.push(Math.sqrt(square / count) / 32_768);
    square = count = 0;
  };
  if (length > 0) {
    for await (const chunk of createReadStream(path, { start, end: start + length - 1 }) as AsyncIterable<Buffer>) {
      let at = 0;
      if (odd !== undefined) {
        add(signed(odd | ((chunk[at++] ?? 0) << 8)));
        odd = undefined;
      }
      for (; at + 1 < chunk.length; at += 2) add(chunk.readInt16LE(at));
      if (at < chunk.length) odd = chunk[at];
    }
  }
  return isSpoken(levels);
}

const signed = (value: number): number => (value << 16) >> 16;

/** @param levels levels of 30 ms frames, 0 to 1 */
export function isSpoken(levels: readonly number[]): boolean {
  const isLongEnough = (least: number): boolean => levels.filter((level) => level >= least).length * frameSeconds >= leastSeconds;
  if (!isLongEnough(softest)) return false;
  if (levels.length * frameSeconds < steadySeconds) return true;
  const sorted = [...levels].sort((a, b) => a - b);
  const noise = sorted[Math.floor(0.1 * (sorted.length - 1))] ?? 0;
  // A single word is enough, whatever the length of the recording.
  return isLongEnough(steadyRatio * Math.max(noise, softest / 4));
}
