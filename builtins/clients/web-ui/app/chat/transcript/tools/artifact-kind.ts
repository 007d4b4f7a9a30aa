// What bytes are, judged by their beginning and never by a name.

const pictures: readonly (readonly [string, string])[] = [
  ['89504e47', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['47494638', 'image/gif'],
];

/** Only types that cannot carry a script. */
export function pictureTypeOf(bytes: Uint8Array): string | undefined {
  const start = hexOf(bytes.subarray(0, 12));
  if (start.startsWith('52494646') && start.endsWith('57454250')) return 'image/webp';
  return pictures.find(([magic]) => start.startsWith(magic))?.[1];
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `undefined` for bytes that are no text. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    // Not UTF-8.
    return undefined;
  }
}
