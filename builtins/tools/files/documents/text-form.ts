// Detects the encoding and byte order mark of a text; decodes and encodes texts.
import { decodeLabel } from '#lib/text-decoding';

/** Encodings for Chinese, Japanese and Korean that use one byte for ASCII characters and two for each other character. */
const wideEncodings = ['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'] as const;
type WideEncoding = (typeof wideEncodings)[number];

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | WideEncoding;

export interface TextForm {
  readonly encoding: Encoding;
  /** Size of the byte order mark in bytes. */
  readonly mark: number;
  /** Whether some bytes are invalid in this encoding. They are shown as a replacement character, and an edit would lose them. */
  readonly isDamaged?: boolean;
}

const sampleBytes = 8192;

/**
 * Detects the encoding and byte order mark from the bytes alone; returns `undefined` if they are not text.
 * @param isCut whether `bytes` are only the beginning of a file; the last character may then be incomplete
 */
export function textFormOf(bytes: Uint8Array, isCut: boolean): TextForm | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: 'utf-8', mark: 3 };
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', mark: 2 };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', mark: 2 };
  const sample = bytes.subarray(0, sampleBytes);
  const zeros = [0, 0];
  for (let index = 0; index < sample.length; index++) if (sample[index] === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // In UTF-16, every second byte of Latin letters is zero; otherwise, text contains no zeros.
  const isMostly = (count: number): boolean => bytes.length % 2 === 0 && count * 2 > sample.length * 0.4;
  if (even + odd > 0) {
    if (even === 0 && isMostly(odd)) return { encoding: 'utf-16le', mark: 0 };
    return odd === 0 && isMostly(even) ? { encoding: 'utf-16be', mark: 0 } : undefined;
  }
  if (isDecodable('utf-8', bytes, isCut)) return { encoding: 'utf-8', mark: 0 };
  const isControl = (byte: number): boolean => byte < 0x20 && (byte < 9 || byte > 13) && byte !== 0x1b;
  if (sample.some(isControl) || isMostlyUtf8(bytes)) return { encoding: 'utf-8', mark: 0, isDamaged: true };
  return { encoding: wideEncodingOf(bytes, isCut) ?? 'windows-1252', mark: 0 };
}

function isDecodable(label: string, bytes: Uint8Array, isCut: boolean): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes, { stream: isCut });
    return true;
  } catch {
    return false;
  }
}

/** Returns whether multi-byte characters outnumber invalid bytes, which is very rare in other encodings. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  let [whole, broken] = [0, 0];
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x80) continue;
    const length = byte >= 0xc2 && byte < 0xe0 ? 1 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xf0 && byte < 0xf5 ? 3 : 0;
    let following = 0;
    while (following < length && ((bytes[index + 1 + following] ?? 0) & 0xc0) === 0x80) following++;
    if (length > 0 && following === length) {
      whole++;
      index += length;
    } else broken++;
  }
  return whole > 0 && broken <= whole;
}

/** Functions that check whether the first byte of a character is in a row of frequent characters, according to the tables of the standards. */
const frequentRows: Readonly<Record<WideEncoding, (lead: number, trail: number) => boolean>> = {
  gb18030: (lead, trail) => lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1,
  big5: (lead) => lead >= 0xa4 && lead <= 0xc6,
  shift_jis: (lead) => lead === 0x82 || lead === 0x83 || (lead >= 0x88 && lead <= 0x97),
  'euc-jp': (lead) => lead === 0xa4 || lead === 0xa5 || (lead >= 0xb0 && lead <= 0xcf),
  'euc-kr': (lead) => lead >= 0xb0 && lead <= 0xc8,
};
/** Functions that check whether a row contains punctuation, which does not identify the language. */
const punctuation: Readonly<Record<WideEncoding, (lead: number) => boolean>> = {
  gb18030: (lead) => lead === 0xa1 || lead === 0xa3,
  big5: (lead) => lead === 0xa1,
  shift_jis: (lead) => lead === 0x81,
  'euc-jp': (lead) => lead === 0xa1 || lead === 0xa3,
  'euc-kr': (lead) => lead === 0xa1 || lead === 0xa3,
};
const mostFrequent = 0.8;
/** Minimum number of characters for telling Chinese and Korean apart. */
const manyCharacters = 8;

/** Detects a two-byte encoding; returns `undefined` if the bytes are invalid in all such encodings, or do not look like text in any of them. */
function wideEncodingOf(bytes: Uint8Array, isCut: boolean): WideEncoding | undefined {
  const fits = wideEncodings
    .map((encoding) => ({ encoding, ...rate(bytes, encoding) }))
    .filter(({ encoding, share }) => share >= mostFrequent && isDecodable(encoding, bytes, isCut));
  const find = (encoding: WideEncoding): (typeof fits)[number] | undefined => fits.find((one) => one.encoding === encoding);
  // Japanese contains kana; Korean uses rows that are a subset of the Chinese ones.
  const japanese = find('euc-jp');
  if (japanese && japanese.kana > 0.2) return 'euc-jp';
  const korean = find('euc-kr');
  if (korean && korean.count >= manyCharacters && korean.share > 0.95) return 'euc-kr';
  return fits.filter(({ encoding }) => encoding !== 'euc-jp').sort((one, other) => other.share - one.share)[0]?.encoding;
}

/** Returns the share of frequent characters among the two-byte characters. */
function rate(bytes: Uint8Array, encoding: WideEncoding): { readonly share: number; readonly count: number; readonly kana: number } {
  let [frequent, count, kana, wasWide] = [0, 0, 0, false];
  for (let index = 0; index < bytes.length; index++) {
    const lead = bytes[index] ?? 0;
    if (lead < 0x80) {
      wasWide = false;
      continue;
    }
    const trail = bytes[++index] ?? 0;
    if (punctuation[encoding](lead)) continue;
    count++;
    const next = bytes[index + 1] ?? 0;
    // An accented letter or a quotation mark before an ASCII letter is not a two-byte character.
    if (frequentRows[encoding](lead, trail) && (trail >= 0x80 || wasWide || next >= 0x80)) frequent++;
    if (lead === 0xa4 || lead === 0xa5) kana++;
    wasWide = true;
  }
  return { share: count === 0 ? 0 : frequent / count, count, kana: count === 0 ? 0 : kana / count };
}

/** Returns the text without the byte order mark. */
export function decodeText(bytes: Uint8Array, { encoding, mark }: TextForm): string {
  return decodeLabel(encoding, bytes.subarray(mark));
}

/** Returns the bytes with the byte order mark; `undefined` if the encoding lacks a character of the text. */
export function encodeText(text: string, { encoding, mark }: TextForm): Buffer | undefined {
  const marked = mark > 0 ? `\uFEFF${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(marked, 'utf8');
  if (encoding !== 'utf-16le' && encoding !== 'utf-16be') return encodeByTable(text, encoding);
  const bytes = Buffer.from(marked, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

/** Returns a map from characters to the bytes that decode to them; the first byte sequence if there are several. */
function tableOf(encoding: Encoding): ReadonlyMap<string, readonly number[]> {
  const all = Array.from({ length: 256 }, (_, byte) => [byte]);
  if (encoding !== 'windows-1252') for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) all.push([lead, trail]);
  // A line break is never the second byte of a character.
  const rows = decodeLabel(encoding, Uint8Array.from(all.flatMap((bytes) => (bytes[0] === 10 ? [0x20, 10] : [...bytes, 10])))).split('\n');
  const table = new Map<string, readonly number[]>();
  for (const [index, bytes] of all.entries()) {
    const sign = bytes[0] === 10 ? '\n' : (rows[index] ?? '');
    if ([...sign].length === 1 && sign !== '\uFFFD' && !table.has(sign)) table.set(sign, bytes);
  }
  return table;
}

function encodeByTable(text: string, encoding: Encoding): Buffer | undefined {
  const table = tableOf(encoding);
  const bytes = Buffer.allocUnsafe(text.length * 2);
  let length = 0;
  for (const sign of text) {
    const found = table.get(sign);
    if (!found) return undefined;
    for (const byte of found) bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

/** Returns a note about the encoding; `undefined` for plain UTF-8. */
export function encodingName({ encoding, isDamaged }: TextForm): string | undefined {
  if (isDamaged) return 'not all of it is UTF-8; invalid bytes appear as \uFFFD';
  if (encoding === 'utf-8') return undefined;
  if (encoding === 'utf-16le') return 'encoding is UTF-16 (little endian)';
  if (encoding === 'utf-16be') return 'encoding is UTF-16 (big endian)';
  if (encoding === 'windows-1252') return 'encoding is not UTF-8; read as Windows-1252 (Latin-1)';
  return `encoding is not UTF-8; read as ${encoding.toUpperCase()}, by its bytes`;
}
