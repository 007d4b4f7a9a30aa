// Checks whether models accept an image: its type, width, height and size, and whether its file is complete. Reads only headers, so it decodes little of the
// base64.
import { pictureTypeOf } from './values.ts';

export interface Picture {
  readonly mimeType: string;
  /** Content in base64, without a prefix. */
  readonly base64: string;
}

/** The result of the check. `why` completes the sentence "the image …". */
export type UsableImage<T extends Picture> = { readonly ok: true; readonly part: T } | { readonly ok: false; readonly why: string };

/**
 * Maximum number of pixels per side: the lowest documented limit (https://docs.anthropic.com/en/docs/build-with-claude/vision). The provider rejects the
 * whole request if an image exceeds it.
 */
const maxPixels = 8_000;
/** Maximum size of an image in bytes: the limit that the same page states for the API. */
const maxBytes = 5 * 1024 * 1024;
const headBytes = 12;

interface Size {
  readonly width: number;
  readonly height: number;
}
/** Reads bytes of the file; returns fewer at its end. */
interface Bytes {
  readonly length: number;
  at(start: number, count: number): Buffer;
}
/** Returns the width and height of an image; `undefined` if the file ends too early. */
type Reader = (bytes: Bytes) => Size | undefined;

const readers: Readonly<Record<string, Reader>> = { 'image/png': readPng, 'image/jpeg': readJpeg, 'image/gif': readGif, 'image/webp': readWebp };

/** Checks an image, and corrects its declared type if the bytes show a different one. `part` is the same object if nothing changed. */
export function usableImage<T extends Picture>(part: T): UsableImage<T> {
  const base64 = trimBase64(part.base64);
  if (base64 === undefined) return { ok: false, why: 'is not valid base64' };
  const bytes = bytesOf(base64);
  if (bytes.length === 0) return { ok: false, why: 'is empty' };
  if (bytes.length > maxBytes)
    return { ok: false, why: `has ${(bytes.length / 1024 / 1024).toFixed(1)} MB; models accept at most ${maxBytes / 1024 / 1024} MB` };
  const mimeType = pictureTypeOf(bytes.at(0, headBytes));
  const readSize = mimeType === undefined ? undefined : readers[mimeType];
  if (mimeType === undefined || !readSize) return { ok: false, why: 'is not a PNG, JPEG, GIF or WebP file' };
  const size = readSize(bytes);
  if (!size) return { ok: false, why: 'is truncated or damaged' };
  if (size.width === 0 || size.height === 0) return { ok: false, why: 'has no width or height' };
  if (Math.max(size.width, size.height) > maxPixels) {
    return { ok: false, why: `has ${size.width} × ${size.height} pixels; models accept at most ${maxPixels} per side` };
  }
  return { ok: true, part: mimeType === part.mimeType && base64 === part.base64 ? part : { ...part, mimeType, base64 } };
}

/** Returns base64 without line breaks, with its padding. */
function trimBase64(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const text = /\s/.test(given) ? given.replace(/\s+/g, '') : given;
  const signs = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  if (signs % 4 === 1 || /[^A-Za-z0-9+/]/.test(text.slice(0, signs))) return undefined;
  return text.slice(0, signs).padEnd(Math.ceil(signs / 4) * 4, '=');
}

function bytesOf(base64: string): Bytes {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return {
    length: (base64.length / 4) * 3 - padding,
    at(start, count) {
      const first = Math.floor(start / 3);
      const end = Math.ceil((start + count) / 3);
      return Buffer.from(base64.slice(first * 4, end * 4), 'base64').subarray(start - first * 3, start - first * 3 + count);
    },
  };
}

/** Parses all chunks up to the last one. */
function readPng(bytes: Bytes): Size | undefined {
  const head = bytes.at(16, 8);
  let position = 8;
  while (position + 12 <= bytes.length) {
    const chunk = bytes.at(position, 8);
    const type = chunk.toString('latin1', 4);
    position += 12 + chunk.readUInt32BE(0);
    if (type === 'IEND' && position <= bytes.length) return { width: head.readUInt32BE(0), height: head.readUInt32BE(4) };
  }
  return undefined;
}

/** Parses the segments up to the scan, in which the only end marker is that of the file. */
function readJpeg(bytes: Bytes): Size | undefined {
  let size: Size | undefined;
  let position = 2;
  while (position + 4 <= bytes.length) {
    const segment = bytes.at(position, 9);
    const marker = segment[1] ?? 0;
    if (segment[0] !== 0xff) return undefined;
    if (marker === 0xff) {
      position += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && segment.length === 9) size = { height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) };
    position += 2 + segment.readUInt16BE(2);
    if (marker !== 0xda) continue;
    const end = Buffer.from([0xff, 0xd9]);
    return bytes.at(bytes.length - 2, 2).equals(end) || bytes.at(position, bytes.length).includes(end) ? size : undefined;
  }
  return undefined;
}

function readGif(bytes: Bytes): Size | undefined {
  const head = bytes.at(0, 10);
  const tail = bytes.at(Math.max(13, bytes.length - 64), 64);
  const last = tail.findLast((byte) => byte !== 0);
  return head.length === 10 && last === 0x3b ? { width: head.readUInt16LE(6), height: head.readUInt16LE(8) } : undefined;
}

function readWebp(bytes: Bytes): Size | undefined {
  const head = bytes.at(0, 30);
  if (head.length < 30 || head.readUInt32LE(4) + 8 > bytes.length) return undefined;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    case 'VP8L':
      return { width: (head.readUInt32LE(21) & 0x3fff) + 1, height: ((head.readUInt32LE(21) >>> 14) & 0x3fff) + 1 };
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
