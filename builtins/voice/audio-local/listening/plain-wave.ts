// Converts a recording to WAV with one channel and 16,000 samples of 16 bits per second.
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sound } from 'agent-harness/builtins/voice/audio-engines';
import { readWave, soundHeadBytes, waveHead, waveHeadBytes, type Wave } from '#lib/sound';
import { outputOf } from './output-of.ts';
import type { ListeningParts } from './parts.ts';

const wantedRate = 16_000;
const convertMs = 120_000;
/** Formats of recordings, as named by ffmpeg. */
const formats = 'wav,matroska,ogg,flac,mov,mp3,aac';

/** Runs `work` with the path of the converted file and a folder for its output; deletes both afterwards. */
export async function withPlainWave<T>(
  sound: Sound,
  program: string,
  parts: ListeningParts,
  signal: AbortSignal,
  work: (path: string, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(await parts.openFolder(), 'run-'));
  try {
    return await work(await plainWave(sound, program, folder, parts, signal), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function plainWave(sound: Sound, program: string, folder: string, parts: ListeningParts, signal: AbortSignal): Promise<string> {
  const { path, size, mimeType } = sound;
  const wave = await waveOf(path, size);
  if (wave?.rate === wantedRate && wave.channels === 1 && wave.bits === 16 && wave.coding === 1) return path;
  const made = join(folder, 'sound.wav');
  if (wave && [8, 16, 24, 32].includes(wave.bits)) {
    await resample(path, wave, made, signal);
    return made;
  }
  const ffmpeg = await parts.programs.find(['ffmpeg']);
  if (ffmpeg === undefined) throw parts.refuse('NEEDS_FFMPEG', { program, mimeType });
  // Prevents input files from causing network access or loading playlists.
  const limits = ['-protocol_whitelist', 'file', '-format_whitelist', formats];
  const args = ['-v', 'error', '-nostdin', ...limits, '-i', path, '-vn', '-ac', '1', '-ar', String(wantedRate), '-c:a', 'pcm_s16le', made];
  await outputOf(ffmpeg, args, { ms: convertMs, maxBytes: 64 * 1024 }, parts, signal);
  return made;
}

async function waveOf(path: string, size: number): Promise<Wave | undefined> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(Math.min(size, soundHeadBytes));
    await file.read(head, 0, head.length, 0);
    return readWave(head, size);
  } finally {
    await file.close();
  }
}

/** Converts a WAV file by averaging samples; ffmpeg is needed only for other formats. */
async function resample(path: string, wave: Wave, made: string, signal: AbortSignal): Promise<void> {
  const { channels, bits, rate, start, length } = wave;
  const frame = (channels * bits) / 8;
  const read = readerOf(wave);
  const out = await open(made, 'wx', 0o600);
  try {
    let written = 0;
    await out.write(waveHead(wantedRate, 0));
    let sum = 0;
    let count = 0;
    let phase = 0;
    let rest = Buffer.alloc(0);
    const whole = Math.floor(length / frame) * frame;
    const chunks = whole === 0 ? [] : createReadStream(path, { start, end: start + whole - 1, highWaterMark: 256 * 1024 });
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const samples: number[] = [];
      let at = 0;
      for (; at + frame <= bytes.length; at += frame) {
        for (let channel = 0; channel < channels; channel++) sum += read(bytes, at + (channel * bits) / 8);
        count += channels;
        phase += wantedRate;
        if (phase < rate) continue;
        const mean = Math.max(-32_768, Math.min(32_767, Math.round((sum / count) * 32_767)));
        for (; phase >= rate; phase -= rate) samples.push(mean);
        sum = count = 0;
      }
      rest = Buffer.from(bytes.subarray(at));
      const converted = Int16Array.from(samples);
      await out.write(new Uint8Array(converted.buffer));
      written += converted.byteLength;
    }
    await out.write(waveHead(wantedRate, written), 0, waveHeadBytes, 0);
  } finally {
    await out.close();
  }
}

/** Returns a reader of samples between -1 and 1. */
function readerOf({ bits, coding }: Wave): (bytes: Buffer, at: number) => number {
  if (coding === 3) return (bytes, at) => bytes.readFloatLE(at);
  if (bits === 8) return (bytes, at) => (bytes.readUInt8(at) - 128) / 128;
  if (bits === 16) return (bytes, at) => bytes.readInt16LE(at) / 32_768;
  if (bits === 24) return (bytes, at) => bytes.readIntLE(at, 3) / 8_388_608;
  return (bytes, at) => bytes.readInt32LE(at) / 2_147_483_648;
}
