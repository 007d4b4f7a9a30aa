// How a text is written down in bytes: which encoding, and whether with a byte order mark.

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export interface TextForm {
  readonly encoding: Encoding;
  /** Bytes of the byte order mark. */
  readonly mark: number;
  /** Bytes that are no text in this encoding: shown by a replacement sign, and an edit would lose them. */
  readonly isDamaged?: boolean;
}

/**
 * By the bytes alone. `undefined` where they are no text.
 * @param isCut `bytes` are the beginning of a file: a character may be cut at their end
 */
export function textFormOf(bytes: Uint8Array, isCut: boolean): TextForm | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: 'utf-8', mark: 3 };
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', mark: 2 };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', mark: 2 };
  const sample = bytes.subarray(0, 8192);
  const zeros = [0, 0];
  for (let index = 0; index < sample.length; index++) if (sample[index] === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // Latin letters in UTF-16 have a zero in every second byte, and a text has no other zeros.
  const isMostly = (count: number): boolean => bytes.length % 2 === 0 && count * 2 > sample.length * 0.4;
  if (even + odd > 0) {
    if (even === 0 && isMostly(odd)) return { encoding: 'utf-16le', mark: 0 };
    return odd === 0 && isMostly(even) ? { encoding: 'utf-16be', mark: 0 } : undefined;
  }
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return { encoding: 'utf-8', mark: 0 };
  } catch {
    const isControl = (byte: number): boolean => byte < 0x20 && (byte < 9 || byte > 13) && byte !== 0x1b;
    const isNone = (byte: number): boolean => byte === 0x81 || byte === 0x8d || byte === 0x8f || byte === 0x90 || byte === 0x9d;
    return sample.some((byte) => isControl(byte) || isNone(byte)) ? { encoding: 'utf-8', mark: 0, isDamaged: true } : { encoding: 'windows-1252', mark: 0 };
  }
}

/** Without the byte order mark. */
export function decodeText(bytes: Uint8Array, { encoding, mark }: TextForm): string {
  // Where a mark cannot be, node takes a `ÿ` at the beginning for one.
  return new TextDecoder(encoding, { ignoreBOM: encoding !== 'windows-1252' }).decode(bytes.subarray(mark));
}

/** With the byte order mark. `undefined` where the encoding has no sign for a character of the text. */
export function encodeText(text: string, { encoding, mark }: TextForm): Buffer | undefined {
  if (encoding === 'windows-1252') return encodeWestern(text);
  const marked = mark > 0 ? `\uFEFF${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(marked, 'utf8');
  const bytes = Buffer.from(marked, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

function encodeWestern(text: string): Buffer | undefined {
  const signs = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  const byteOf = new Map([...signs].map((sign, byte) => [sign, byte]));
  const bytes = Buffer.allocUnsafe(text.length);
  for (let index = 0; index < text.length; index++) {
    const byte = byteOf.get(text[index] ?? '');
    if (byte === undefined) return undefined;
    bytes[index] = byte;
  }
  return bytes;
}

/** For people; `undefined` for what goes without saying. */
export function encodingName({ encoding, isDamaged }: TextForm): string | undefined {
  if (isDamaged) return 'not all of it is UTF-8; what is not is shown as \uFFFD';
  return {
    'utf-8': undefined,
    'utf-16le': 'encoding is UTF-16 (little endian)',
    'utf-16be': 'encoding is UTF-16 (big endian)',
    'windows-1252': 'encoding is Windows-1252 (Latin-1)',
  }[encoding];
}
