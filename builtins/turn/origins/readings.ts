// The ways in which a text can be read that carries another one: as it stands, and out of the encodings that programs and people use.

export interface Reading {
  readonly text: string;
  /** Left out for the text as it stands. */
  readonly through?: string;
}

/** Bounds the work for a text that reads in very many ways. */
const mostReadings = 40;
const mostSigns = 200_000;
const deepest = 3;
/** Of what an encoding gives. */
const shortestPart = 5;

/** The text itself first. Encodings inside of encodings are looked through, too. */
export function readingsOf(text: string): Reading[] {
  const found: Reading[] = [{ text }];
  // What is turned round twice is what it was.
  const known = new Set([text]);
  let signs = text.length;
  let level: readonly Reading[] = [{ text }];
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    const next: Reading[] = [];
    for (const one of level) {
      for (const [name, decode] of encodings) {
        const decoded = decode(one.text);
        if (decoded === undefined || decoded.length < shortestPart || known.has(decoded)) continue;
        if (found.length >= mostReadings || (signs += decoded.length) > mostSigns) return found;
        known.add(decoded);
        const reading = { text: decoded, through: one.through === undefined || one.through === name ? name : `${name} in ${one.through}` };
        found.push(reading);
        next.push(reading);
      }
    }
    level = next;
  }
  return found;
}

/** What a text says in each of them; nothing where it says nothing. */
const encodings: readonly (readonly [name: string, decode: (text: string) => string | undefined])[] = [
  ['percent signs', (text) => (/%[0-9a-f]{2}/i.test(text) ? text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => bytesOf(run.replaceAll('%', ''), 'hex')) : undefined)],
  ['escapes', readEscapes],
  ['HTML entities', readEntities],
  ['hidden characters', readHidden],
  ['base64', readBase64],
  ['base32', readBase32],
  [
    'hex',
    (text) => joined(text.matchAll(/(?:(?:0x|\\x)?[0-9a-f]{2}[\s:,_.-]?){6,}/gi), ([run]) => printable(bytesOf(run.replace(/0x|\\x|[^0-9a-f]/gi, ''), 'hex'))),
  ],
  ['character codes', (text) => joined(text.matchAll(/\b\d{2,3}(?:[^\da-z]{1,3}\d{2,3}){5,}/gi), ([run]) => printable(fromCodes(run.match(/\d+/g) ?? [], 10)))],
  ['bits', (text) => joined(text.matchAll(/(?:[01]{7,8}[^\da-z]{0,2}){6,}/gi), ([run]) => printable(fromCodes(run.match(/[01]{7,8}/g) ?? [], 2)))],
  ['reverse order', (text) => [...text].reverse().join('')],
  ['rot13', (text) => (/[a-z]/i.test(text) ? text.replace(/[a-z]/gi, (sign) => shiftLetter(sign, 13)) : undefined)],
];

const bytesOf = (text: string, encoding: BufferEncoding): string => Buffer.from(text, encoding).toString('utf8');

function joined(matches: Iterable<RegExpMatchArray>, read: (match: RegExpMatchArray) => string | undefined): string | undefined {
  const parts = Array.from(matches, read).filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('\n');
}

/** What is no text to nine tenths is no text. */
function printable(text: string): string | undefined {
  const signs = text.replace(/[^\x20-\x7e\n\t\u00a0-\ufffc]/g, '');
  return text.length > 0 && signs.length >= text.length * 0.9 ? signs : undefined;
}

function readEscapes(text: string): string | undefined {
  if (!/\\(?:u|x)/i.test(text)) return undefined;
  return text.replace(/\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (_, long?: string, four?: string, two?: string) =>
    fromCodes([long ?? four ?? two ?? ''], 16),
  );
}

function readEntities(text: string): string | undefined {
  if (!/&#?\w+;/.test(text)) return undefined;
  return text.replace(/&#(\d{1,7});|&#x([0-9a-f]{1,6});/gi, (_, decimal?: string, hex?: string) =>
    decimal === undefined ? fromCodes([hex ?? ''], 16) : fromCodes([decimal], 10),
  );
}

/** Tags spell ASCII without being seen, and two kinds of blanks without width spell its bits. */
function readHidden(text: string): string | undefined {
  const tags = Array.from(text.matchAll(/[\u{e0020}-\u{e007e}]/gu), ([sign]) => String.fromCharCode((sign.codePointAt(0) ?? 0) - 0xe0000)).join('');
  if (tags !== '') return tags;
  const blanks = text.match(/[\u200b\u200c\u200d\u2060\ufeff]/g) ?? [];
  if (blanks.length < 40) return undefined;
  const bits = blanks.map((blank) => (blank === blanks.find((one) => one !== '\u200d') ? '0' : '1')).join('');
  const turned = bits.replace(/[01]/g, (bit) => (bit === '0' ? '1' : '0'));
  return [bits, turned].map((one) => printable(fromCodes(one.match(/[01]{8}/g) ?? [], 2))).find((one) => one !== undefined);
}

function readBase64(text: string): string | undefined {
  return joined(text.matchAll(/[a-z0-9+/_-]{8,}(?:\s[a-z0-9+/_-]{4,})*/gi), ([run]) => {
    const signs = run.replace(/\s/g, '');
    // It may begin inside of a run: a path, or a word before it.
    const found = [0, 1, 2, 3].flatMap((skip) => longestText(Buffer.from(signs.slice(skip), 'base64').toString('latin1')) ?? []);
    return found.length === 0 ? undefined : found.join('\n');
  });
}

/** The longest run of signs that can be read, where it is long enough to be meant. */
function longestText(bytes: string): string | undefined {
  const runs = bytes.match(/[\x20-\x7e\n\t]{6,}/g) ?? [];
  return runs.length === 0 ? undefined : runs.join('\n');
}

function readBase32(text: string): string | undefined {
  return joined(text.matchAll(/[a-z2-7]{13,}/gi), ([run]) => {
    let bits = '';
    for (const sign of run.toLowerCase()) bits += 'abcdefghijklmnopqrstuvwxyz234567'.indexOf(sign).toString(2).padStart(5, '0');
    return printable(fromCodes(bits.match(/[01]{8}/g) ?? [], 2));
  });
}

function fromCodes(codes: readonly string[], base: number): string {
  return codes
    .map((code) => parseInt(code, base))
    .map((code) => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''))
    .join('');
}

/** Other signs stay as they are. */
function shiftLetter(sign: string, by: number): string {
  const code = sign.charCodeAt(0);
  const first = code >= 97 ? 97 : 65;
  return code >= first && code < first + 26 ? String.fromCharCode(((code - first + by) % 26) + first) : sign;
}
