// Decodes the bytes of an artifact as text if they are UTF-8.

/** Returns the text; `undefined` if the bytes are not UTF-8 text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined; // undecodable bytes are not text
  }
}
