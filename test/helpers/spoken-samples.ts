// Generates real speech samples for tests with a local speech program.
import { execFileSync } from 'node:child_process';
import { createResampler } from '../../builtins/voice/transcription/ui/sound/resample.ts';
import { rate } from '../../builtins/voice/transcription/ui/sound/frames.ts';

export interface SpeakOptions {
  readonly voice?: string;
  /** Words per minute. */
  readonly speed?: number;
  readonly pitch?: number;
}

/** Synthesizes a sentence at 16 kHz, without leading and trailing silence. */
export function speak(text: string, options: SpeakOptions = {}): Float32Array {
  const key = JSON.stringify([text, options]);
  const known = spoken.get(key) ?? synthesized(text, options);
  spoken.set(key, known);
  return known;
}

const spoken = new Map<string, Float32Array>();

function synthesized(text: string, { voice = 'en-us', speed = 165, pitch = 50 }: SpeakOptions): Float32Array {
  const wav = execFileSync('espeak-ng', ['--stdout', '-v', voice, '-s', String(speed), '-p', String(pitch), text], { maxBuffer: 64 * 1024 * 1024 });
  return trim(createResampler(wav.readUInt32LE(24), rate).push(samplesOf(wav)));
}

/** Reads the samples of a 16-bit mono WAV file. */
export function samplesOf(wav: Buffer): Float32Array {
  const at = wav.indexOf('data') + 8;
  return Float32Array.from({ length: (wav.length - at) >> 1 }, (_, index) => wav.readInt16LE(at + 2 * index) / 0x8000);
}

/** Cuts to the audible part, relative to the loudest sample. */
export function trim(samples: Float32Array, part = 0.015): Float32Array {
  const least = part * samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const isLoud = (sample: number): boolean => Math.abs(sample) > least;
  return samples.slice(samples.findIndex(isLoud), samples.findLastIndex(isLoud) + 1);
}

export const silence = (ms: number): Float32Array => new Float32Array(Math.round((rate * ms) / 1000));

export function joined(...parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Mixes in `over` from `atMs` on, with a gain of `db`. */
export function mixed(base: Float32Array, over: Float32Array, atMs: number, db = 0): Float32Array {
  const whole = base.slice();
  const gain = 10 ** (db / 20);
  const from = Math.round((rate * atMs) / 1000);
  for (let index = 0; index < over.length && from + index < whole.length; index++)
    whole[from + index] = (whole[from + index] as number) + gain * (over[index] as number);
  return whole;
}

/** Adds room noise. @param roll random number generator, from 0 to 1 */
export function noisy(samples: Float32Array, db: number, roll: () => number): Float32Array {
  const gain = 10 ** (db / 20) * Math.sqrt(3);
  return samples.map((sample) => sample + gain * (2 * roll() - 1));
}
