// Encodes audio as a WAV file with one channel and 16 bits per sample, which every engine can read.
import { waveHead, waveHeadBytes } from '#lib/sound';

/** Sizes in bytes of one sample in the file, and of the header before the first sample. */
export const bytesOfSample = 2;
export const headerBytes = waveHeadBytes;

export function toPcm(samples: Float32Array): Int16Array {
  return Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 0x7fff));
}

export function wavOf(parts: readonly Int16Array[], rate: number): Uint8Array<ArrayBuffer> {
  const bytes = bytesOfSample * parts.reduce((sum, part) => sum + part.length, 0);
  const file = new Uint8Array(headerBytes + bytes);
  file.set(waveHead(rate, bytes));
  const view = new DataView(file.buffer);
  let at = headerBytes;
  for (const part of parts) {
    for (const sample of part) {
      view.setInt16(at, sample, true);
      at += bytesOfSample;
    }
  }
  return file;
}
