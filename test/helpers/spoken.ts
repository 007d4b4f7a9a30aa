// Generates audio for tests: spoken sentences, silence, noise, and files of every format.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waveHead } from '#lib/sound';

const run = promisify(execFile);

/** Builds a WAV file as recorded by the page: 16 kHz, mono, 16-bit integers. */
export function waveOf(samples: Int16Array, rate = 16_000): Buffer {
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return Buffer.concat([waveHead(rate, bytes.length), bytes]);
}

/** Generates a steady tone with a level from 0 to 1; 0 is silence. */
export function toneOf(seconds: number, level: number, rate = 16_000): Buffer {
  return waveOf(
    Int16Array.from({ length: Math.round(seconds * rate) }, (_, at) => Math.round(Math.sin((2 * Math.PI * 220 * at) / rate) * level * 32_767)),
    rate,
  );
}

/** Alternates between loud and soft like speech, for tests that do not depend on the words. */
export function babbleOf(seconds: number, rate = 16_000): Buffer {
  const level = (at: number): number => 0.3 * Math.abs(Math.sin((2 * Math.PI * 3 * at) / rate));
  return waveOf(
    Int16Array.from({ length: Math.round(seconds * rate) }, (_, at) => Math.round(Math.sin((2 * Math.PI * 180 * at) / rate) * level(at) * 32_767)),
    rate,
  );
}

/** Synthesizes a 16 kHz WAV file with flite, the only voice that offline recognition (pocketsphinx) transcribes word for word. */
export async function spoken(sentence: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'spoken-'));
  try {
    const path = join(folder, 'sentence.wav');
    await run('flite', ['-voice', 'kal16', '-t', sentence, '-o', path]);
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const dataUrlOf = (bytes: Buffer, type = 'audio/wav'): string => `data:${type};base64,${bytes.toString('base64')}`;
