// Reads the size of a JPEG from its start-of-frame marker, because the debugging protocol reports only the page size with a frame.

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns whether the marker starts a frame; excludes the codes in that range for tables and arithmetic coding. */
const isFrameStart = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Returns the size of a JPEG; `undefined` if the bytes are not a JPEG or end before its size. */
export function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (isFrameStart(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
