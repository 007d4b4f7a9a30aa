// Encodes the packet that a host encrypts for a guest: the newest frame and all unacknowledged texts, because the relay keeps only the newest
// packet. Runs in browsers too.

export interface Packet {
  /** Number of the last guest text that the host received without gaps. */
  readonly taken: number;
  /** Number of the first text of the packet; numbers start at 1. */
  readonly firstText: number;
  readonly texts: readonly string[];
  /** Left out if the guest has the newest frame. */
  readonly frame?: Uint8Array;
}

const headBytes = 10;

export function writePacket({ taken, firstText, texts, frame }: Packet): Uint8Array {
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  const bytes = new Uint8Array(headBytes + encoded.reduce((sum, text) => sum + 4 + text.length, 0) + (frame?.length ?? 0));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, taken);
  view.setUint32(4, firstText);
  view.setUint16(8, encoded.length);
  let at = headBytes;
  for (const text of encoded) {
    view.setUint32(at, text.length);
    bytes.set(text, at + 4);
    at += 4 + text.length;
  }
  if (frame) bytes.set(frame, at);
  return bytes;
}

/** Parses a packet; `undefined` if the bytes are not a packet. */
export function readPacket(bytes: Uint8Array): Packet | undefined {
  if (bytes.length < headBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts: string[] = [];
  let at = headBytes;
  for (let left = view.getUint16(8); left > 0; left--) {
    if (at + 4 > bytes.length) return undefined;
    const length = view.getUint32(at);
    if (at + 4 + length > bytes.length) return undefined;
    texts.push(new TextDecoder().decode(bytes.subarray(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  return { taken: view.getUint32(0), firstText: view.getUint32(4), texts, ...(at < bytes.length ? { frame: bytes.subarray(at) } : {}) };
}

/** Returns the sequence number after the marker of a frame; 0 if the bytes are not a frame. */
export function seqOf(frame: Uint8Array): number {
  return frame.length < 8 ? 0 : new DataView(frame.buffer, frame.byteOffset, 8).getUint32(4, true);
}
