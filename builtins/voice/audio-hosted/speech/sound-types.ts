// Determines the audio type of a response.

/** Samples per second of `pcm` audio from such routes: one channel, 16 bits. */
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

/** Returns the audio type; `undefined` for content that is not audio. Bytes without a type count as the requested type. */
export function speechTypeOf(mediaType: string, format: string): string | undefined {
  if (mediaType === '' || mediaType === 'application/octet-stream' || mediaType === 'binary/octet-stream') return asked[format];
  return types[mediaType];
}
