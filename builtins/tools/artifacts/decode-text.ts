// Tells text from other bytes.

/** `undefined` where the bytes are no UTF-8 text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined; // what does not decode is no text
  }
}
