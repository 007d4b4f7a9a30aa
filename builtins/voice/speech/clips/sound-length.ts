// Determines the duration of a clip, and writes it to the WAV header, which streamed clips lack.
import { readWave } from '#lib/sound';

/** Returns the duration in seconds; `null` if unknown. */
export function secondsOf(bytes: Buffer, mimeType: string): number | null {
  if (mimeType === 'audio/wav') return rounded(readWave(bytes.subarray(0, 4_096), bytes.length)?.seconds);
  if (mimeType === 'audio/mpeg') return rounded(mpegSeconds(bytes));
  return null;
}

/** Returns the bytes with the actual lengths in the header. */
export function withLengths(bytes: Buffer, mimeType: string): Buffer {
  const wave = mimeType === 'audio/wav' ? readWave(bytes.subarray(0, 4_096), bytes.length) : undefined;
  if (!wave) return bytes;
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.writeUInt32LE(bytes.length - wave.start, wave.start - 4);
  return bytes;
}

function rounded(seconds: number | undefined): number | null {
  return seconds === undefined ? null : Math.round(seconds * 1_000) / 1_000;
}

/** Bit rates of layer III in kbit/s, by the four bits in a frame header. */
const rates = {
  first: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
  second: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
};
const samplings = [44_100, 48_000, 32_000];

/** Adds up the durations of the frames, because their lengths may differ; `undefined` if there is no frame. */
function mpegSeconds(bytes: Buffer): number | undefined {
  let place = id3Length(bytes);
  let seconds = 0;
  while (place + 4 <= bytes.length) {
    const head = bytes.readUInt32BE(place);
    const version = (head >>> 19) & 3;
    const isFirst = version === 3;
    const rate = (isFirst ? rates.first : rates.second)[(head >>> 12) & 15] ?? 0;
    const base = samplings[(head >>> 10) & 3];
    if (head >>> 21 !== 0x7ff || version === 1 || ((head >>> 17) & 3) !== 1 || rate === 0 || base === undefined) {
      place++;
      continue;
    }
    const sampling = isFirst ? base : version === 2 ? base / 2 : base / 4;
    const samples = isFirst ? 1_152 : 576;
    seconds += samples / sampling;
    place += Math.floor(((samples / 8) * rate * 1_000) / sampling) + ((head >>> 9) & 1);
  }
  return seconds > 0 ? seconds : undefined;
}

function id3Length(bytes: Buffer): number {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 3) !== 'ID3') return 0;
  return 10 + [6, 7, 8, 9].reduce((size, at) => (size << 7) | ((bytes[at] ?? 0) & 0x7f), 0);
}
