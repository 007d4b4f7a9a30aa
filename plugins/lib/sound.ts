// Detects the audio format of a file by its first bytes, and parses the header of a WAV file.

interface Kind {
  readonly mimeType: string;
  /** Name of the format in files and for providers. */
  readonly format: string;
  begins(head: Buffer): boolean;
}

const saysAt = (head: Buffer, place: number, text: string): boolean => head.toString('latin1', place, place + text.length) === text;
/** Returns whether the bytes begin with an MPEG audio frame: eleven set bits and a layer. AAC has no layer. */
const isFrame = (head: Buffer, isLayered: boolean): boolean =>
  head.length > 2 && head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0 && (((head[1] ?? 0) & 0x06) !== 0) === isLayered && ((head[2] ?? 0) & 0xf0) !== 0xf0;

/** Formats that recorders write and providers accept. */
const kinds: readonly Kind[] = [
  { mimeType: 'audio/wav', format: 'wav', begins: (head) => saysAt(head, 0, 'RIFF') && saysAt(head, 8, 'WAVE') },
  { mimeType: 'audio/webm', format: 'webm', begins: (head) => head.readUInt32BE(0) === 0x1a45dfa3 && head.includes('webm') },
  { mimeType: 'audio/ogg', format: 'ogg', begins: (head) => saysAt(head, 0, 'OggS') },
  { mimeType: 'audio/flac', format: 'flac', begins: (head) => saysAt(head, 0, 'fLaC') },
  {
    mimeType: 'audio/mp4',
    format: 'm4a',
    begins: (head) => saysAt(head, 4, 'ftyp') && /^(M4[AB] |mp4[12]|isom|iso[2-9]|dash|mp7[12]|3g[p2]|qt {2})/.test(head.toString('latin1', 8, 12)),
  },
  { mimeType: 'audio/mpeg', format: 'mp3', begins: (head) => saysAt(head, 0, 'ID3') || isFrame(head, true) },
  { mimeType: 'audio/aac', format: 'aac', begins: (head) => isFrame(head, false) && ((head[1] ?? 0) & 0xf0) === 0xf0 },
];

/** Number of bytes from the beginning of a file that the detection needs. */
export const soundHeadBytes = 4_096;

/** Returns the media type `audio/…` of the bytes; `undefined` for other formats. Ignores the declared type, which is unreliable. */
export function soundTypeOf(head: Buffer): string | undefined {
  return head.length < 12 ? undefined : kinds.find((kind) => kind.begins(head))?.mimeType;
}

/** Returns the file extension: `wav` for `audio/wav`. */
export function soundFormatOf(mimeType: string): string | undefined {
  return kinds.find((kind) => kind.mimeType === mimeType)?.format;
}

/** The header of a WAV file. */
export interface Wave {
  /** Format of the samples: 1 for integers, 3 for floating point. */
  readonly coding: number;
  readonly channels: number;
  /** Samples per second. */
  readonly rate: number;
  /** Bits per sample. */
  readonly bits: number;
  /** Offset of the samples, and their length in bytes. */
  readonly start: number;
  readonly length: number;
  readonly seconds: number;
}

/** Value of the length field if the length was unknown when the header was written. */
const unknownLength = 0xffffffff;
const extensible = 0xfffe;

export const waveHeadBytes = 44;

/**
 * Returns the header of a WAV file with one 16-bit channel.
 * @param length size of the samples in bytes; omitted while unknown
 */
export function waveHead(rate: number, length?: number): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(waveHeadBytes);
  const view = new DataView(head.buffer);
  const write = (place: number, word: string): void => [...word].forEach((letter, index) => view.setUint8(place + index, letter.charCodeAt(0)));
  write(0, 'RIFF');
  view.setUint32(4, length === undefined ? unknownLength : waveHeadBytes - 8 + length, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, 'data');
  view.setUint32(40, length ?? unknownLength, true);
  return head;
}

/**
 * Parses the header of a WAV file; returns `undefined` if the file is not a PCM WAV file, or its header is broken.
 * @param size size of the whole file in bytes, because the header may state a larger size
 */
export function readWave(head: Buffer, size: number): Wave | undefined {
  if (!saysAt(head, 0, 'RIFF') || !saysAt(head, 8, 'WAVE')) return undefined;
  let form: Pick<Wave, 'coding' | 'channels' | 'rate' | 'bits'> | undefined;
  for (let place = 12; place + 8 <= head.length;) {
    const length = head.readUInt32LE(place + 4);
    const start = place + 8;
    if (saysAt(head, place, 'fmt ') && start + 16 <= head.length) {
      const formatTag = head.readUInt16LE(start);
      const coding = formatTag === extensible && start + 26 <= head.length ? head.readUInt16LE(start + 24) : formatTag;
      form = { coding, channels: head.readUInt16LE(start + 2), rate: head.readUInt32LE(start + 4), bits: head.readUInt16LE(start + 14) };
    }
    if (saysAt(head, place, 'data')) return form && waveOf(form, start, length, size);
    place = start + length + (length % 2);
  }
  return undefined;
}

function waveOf(form: Pick<Wave, 'coding' | 'channels' | 'rate' | 'bits'>, start: number, declaredSize: number, size: number): Wave | undefined {
  const perSecond = (form.rate * form.channels * form.bits) / 8;
  if ((form.coding !== 1 && form.coding !== 3) || perSecond <= 0) return undefined;
  const length = Math.max(0, Math.min(declaredSize === unknownLength || declaredSize === 0 ? size - start : declaredSize, size - start));
  return { ...form, start, length, seconds: length / perSecond };
}
