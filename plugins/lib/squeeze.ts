// Normalizes texts for comparison: reduces them to letters and digits, without blanks, punctuation and hidden characters, and replaces look-alike characters.

/** A normalized text, with the original position of each character. */
export interface Squeezed {
  readonly text: string;
  readonly places: readonly number[];
}

/** Maps look-alike letters of other alphabets to Latin letters. */
const lookAlikes = new Map(
  [...'аaеeоoрpсcуyхxіiѕsјjԁdһhոnӏlкkмmтtвbнhοoαaνvρpιiκkτtυuεe'].flatMap((sign, at, all) => (at % 2 === 0 ? [[sign, all[at + 1] ?? ''] as const] : [])),
);
const lookAlike = new RegExp(`[${[...lookAlikes.keys()].join('')}]`, 'gu');
const ascii = /^[\0-\x7f]*$/;

/** Returns the normalized text. */
export function squeeze(text: string): string {
  if (ascii.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(lookAlike, (sign) => lookAlikes.get(sign) ?? sign);
}

/** Returns the same text as {@link squeeze}, with positions. For short texts. */
export function squeezeWithPlaces(text: string): Squeezed {
  const places: number[] = [];
  if (ascii.test(text)) {
    const lower = text.toLowerCase();
    for (let at = 0; at < lower.length; at++) if (isLetterOrDigit(lower.charCodeAt(at))) places.push(at);
    return { text: squeeze(text), places };
  }
  const signs: string[] = [];
  let at = 0;
  for (const sign of text) {
    const plain = squeeze(sign);
    signs.push(plain);
    for (let unit = 0; unit < plain.length; unit++) places.push(at);
    at += sign.length;
  }
  return { text: signs.join(''), places };
}

const isLetterOrDigit = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
