// Decodes bytes by encoding label, with the same result in every Node release.

/** The characters of windows-1252 from 128 to 159; some Node releases return control characters for them. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Decodes bytes. Invalid bytes become U+FFFD; a byte order mark is kept. Throws a RangeError for an unknown label. @param label name of the encoding as in
 * HTML: `latin1`, `gbk`, …
 */
export function decodeLabel(label: string, bytes: Uint8Array): string {
  const { encoding } = new TextDecoder(label);
  // In encodings without a byte order mark, Node drops a leading `ÿ`.
  const isWestern = encoding === 'windows-1252';
  const text = new TextDecoder(label, { ignoreBOM: !isWestern }).decode(bytes);
  return isWestern ? text.replace(/[\u0080-\u009f]/g, (char) => windows1252[char.charCodeAt(0) - 128] ?? char) : text;
}
