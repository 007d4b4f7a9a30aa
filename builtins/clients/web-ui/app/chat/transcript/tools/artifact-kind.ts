// Detects the kind of binary data by its first bytes, never by its name.

/** Decodes bytes as text; `undefined` for binary data. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    // Not UTF-8.
    return undefined;
  }
}
