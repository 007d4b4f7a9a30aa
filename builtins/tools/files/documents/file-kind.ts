// Detects the type of a file by its first bytes.
import { pictureTypeOf } from '#lib/values';
import { textFormOf } from './text-form.ts';

export type FileKind = { readonly kind: 'text' } | { readonly kind: 'image'; readonly mimeType: string } | { readonly kind: 'binary'; readonly type: string };

/** Number of first bytes of a file that are inspected. */
export const sniffBytes = 8192;

export const pdfType = 'application/pdf';
export const zipType = 'application/zip';

const binaries: readonly (readonly [hex: string, type: string])[] = [
  ['255044462d', pdfType],
  ['504b0304', zipType],
  ['1f8b', 'application/gzip'],
  ['425a68', 'application/x-bzip2'],
  ['fd377a585a00', 'application/x-xz'],
  ['28b52ffd', 'application/zstd'],
  ['377abcaf271c', 'application/x-7z-compressed'],
  ['7f454c46', 'an ELF program'],
  ['0061736d', 'application/wasm'],
  ['53514c69746520666f726d6174203300', 'an SQLite database'],
  ['d0cf11e0a1b11ae1', 'an old office document (doc, xls, ppt), or an encrypted one'],
];

const brands: Readonly<Record<string, string>> = { heic: 'image/heic', heix: 'image/heic', mif1: 'image/heif', avif: 'image/avif', avis: 'image/avif' };

/** @param typeByName returns the type for the file's name; used for unknown binary files */
export function kindOf(start: Buffer, typeByName: () => string | null): FileKind {
  const mimeType = pictureTypeOf(start);
  if (mimeType !== undefined) return { kind: 'image', mimeType };
  const hex = start.subarray(0, 16).toString('hex');
  const binary = binaries.find(([magic]) => hex.startsWith(magic));
  // Signatures of two or three letters may also be the beginning of a text; longer signatures cannot.
  if (binary && (binary[0].length > 6 || !isPlainText(start))) return { kind: 'binary', type: binary[1] };
  const brand = start.toString('latin1', 4, 8) === 'ftyp' ? start.toString('latin1', 8, 12) : '';
  if (brand !== '') return { kind: 'binary', type: brands[brand] ?? typeByName() ?? 'video/mp4' };
  if (textFormOf(start, true)) return { kind: 'text' };
  return { kind: 'binary', type: typeByName() ?? 'application/octet-stream' };
}

function isPlainText(start: Buffer): boolean {
  return start.every((byte) => (byte >= 0x20 ? byte < 0x7f : byte === 9 || byte === 10 || byte === 13));
}
