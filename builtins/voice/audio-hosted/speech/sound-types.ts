// What kind of sound an answer is, and a head for samples that come without one.

/** Samples in a second that such routes send as `pcm`: one channel, 16 bits. */
export const pcmRate = 24_000;

const types: Readonly<Record<string, string>> = {
  'audio/mpeg': 'audio/mpeg',
  'audio/mp3': 'audio/mpeg',
  'audio/wav': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/pcm': 'audio/pcm',
  'audio/l16': 'audio/pcm',
  'audio/raw': 'audio/pcm',
  'audio/flac': 'audio/flac',
  'audio/x-flac': 'audio/flac',
  'audio/aac': 'audio/aac',
  'audio/opus': 'audio/ogg',
  'audio/ogg': 'audio/ogg',
};
const asked: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
  flac: 'audio/flac',
  aac: 'audio/aac',
  opus: 'audio/ogg',
};

/** `undefined` for what is no sound. Bytes of no type are what was asked for. */
export function speechTypeOf(mediaType: string, format: string): string | undefined {
  if (mediaType === '' || mediaType === 'application/octet-stream' || mediaType === 'binary/octet-stream') return asked[format];
  return types[mediaType];
}

const unknownLength = 0xffffffff;

/** Of a WAV file with one channel of 16 bits, while nobody knows how long it will be. */
export function waveHead(rate: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(unknownLength, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(unknownLength, 40);
  return head;
}
