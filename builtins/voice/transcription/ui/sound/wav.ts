// Sound as a WAV file of 16 bits, one channel: what every engine reads.

/** Of one sample in the file, and of what stands before the first. */
export const bytesOfSample = 2;
export const headerBytes = 44;

export function toPcm(samples: Float32Array): Int16Array {
  return Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 0x7fff));
}

export function wavOf(parts: readonly Int16Array[], rate: number): Uint8Array<ArrayBuffer> {
  const samples = parts.reduce((sum, part) => sum + part.length, 0);
  const file = new Uint8Array(headerBytes + samples * bytesOfSample);
  const view = new DataView(file.buffer);
  const write = (at: number, word: string): void => [...word].forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  write(0, 'RIFF');
  view.setUint32(4, file.length - 8, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * bytesOfSample, true);
  view.setUint16(32, bytesOfSample, true);
  view.setUint16(34, 8 * bytesOfSample, true);
  write(36, 'data');
  view.setUint32(40, samples * bytesOfSample, true);
  let at = headerBytes;
  for (const part of parts) {
    for (const sample of part) {
      view.setInt16(at, sample, true);
      at += bytesOfSample;
    }
  }
  return file;
}
