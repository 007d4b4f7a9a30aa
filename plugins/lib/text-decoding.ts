// Decodes bytes by the label of their encoding, alike on every release of Node.

/** The characters of windows-1252 at 128 to 159; some releases of Node have control characters there. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** What is not valid becomes U+FFFD. A byte order mark stays. @param label as in HTML: `latin1`, `gbk`, … Throws a RangeError for an unknown one. */
export function decodeLabel(label: string, bytes: Uint8Array): string {
  const { encoding } = new TextDecoder(label);
  // Where a mark cannot be, Node takes a `ÿ` at the beginning for one.
  const isWestern = encoding === 'windows-1252';
  const text = new TextDecoder(label, { ignoreBOM: !isWestern }).decode(bytes);
  return isWestern ? text.replace(/[\u0080-\u009f]/g, (char) => windows1252[char.charCodeAt(0) - 128] ?? char) : text;
}
