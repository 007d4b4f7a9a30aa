// Decodes a text from common encodings, recursively, to find text that is hidden in it.

export interface Reading {
  readonly text: string;
  /** Encodings, outermost last, such as `base64 in hex`; omitted for the original text. */
  readonly through?: string;
}

export interface Readings {
  /** All decoded texts, beginning with the original text. */
  readonly all: readonly Reading[];
  /** Limit that stopped the decoding: the end of a sentence that begins with "it". */
  readonly limit?: string;
}

/** Limits: nested encodings, decoded texts, and their total characters. */
const most = { layers: 8, readings: 400, characters: 1_000_000 };
/** Minimum length of a decoded text in characters; shorter ones occur by coincidence. */
const shortestPart = 5;

export function readingsOf(text: string): Readings {
  const all: Reading[] = [];
  const known = new Set<string>();
  let characters = 0;

  /** Returns the decoded texts of the next layer; `undefined` if there are too many. */
  function read(from: readonly Reading[], encodings: readonly Encoding[]): Reading[] | undefined {
    const found: Reading[] = [];
    for (const one of from) {
      for (const [name, decode] of encodings) {
        const decoded = decode(one.text);
        if (decoded === undefined || decoded.length < shortestPart || known.has(decoded)) continue;
        if (known.size >= most.readings || (characters += decoded.length) > most.characters) return undefined;
        known.add(decoded);
        found.push({ text: decoded, through: one.through === undefined || one.through === name ? name : `${name} in ${one.through}` });
      }
    }
    return found;
  }

  known.add(text);
  let layer: Reading[] = [{ text }];
  for (let depth = 0; layer.length > 0; depth++) {
    all.push(...layer);
    const reversed = read(layer, [['reverse order', reverse]]);
    const rotated = reversed && read([...layer, ...reversed], [['rot13', rot13]]);
    if (!rotated) return { all, limit: 'can be decoded in too many ways' };
    all.push(...reversed, ...rotated);
    const next = read([...layer, ...reversed, ...rotated], encodings);
    if (!next) return { all, limit: 'can be decoded in too many ways' };
    if (next.length > 0 && depth >= most.layers) return { all, limit: `is encoded in more than ${most.layers} layers` };
    layer = next;
  }
  return { all };
}

/** An encoding with its decoder, which returns `undefined` if the text contains nothing in this encoding. */
type Encoding = readonly [name: string, decode: (text: string) => string | undefined];

const reverse = (text: string): string => [...text].reverse().join('');
const rot13 = (text: string): string | undefined => (/[a-z]/i.test(text) ? text.replace(/[a-z]/gi, (letter) => shiftLetter(letter, 13)) : undefined);

const encodings: readonly Encoding[] = [
  ['percent signs', (text) => (/%[0-9a-f]{2}/i.test(text) ? text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => utf8(run.replaceAll('%', ''), 'hex')) : undefined)],
  ['escapes', readEscapes],
  ['HTML entities', readEntities],
  ['hidden characters', readHidden],
  ['base64', readBase64],
  ['base32', readBase32],
  ['hex', readHex],
  ['character codes', readCodes],
  ['bits', (text) => joined(text.matchAll(/(?:[01]{7,8}[^\da-z]{0,3}){6,}/gi), ([run]) => printable(fromCodes(run.match(/[01]{7,8}/g) ?? [], 2)))],
];

const utf8 = (text: string, encoding: BufferEncoding): string => Buffer.from(text, encoding).toString('utf8');

function joined(matches: Iterable<RegExpMatchArray>, read: (match: RegExpMatchArray) => string | undefined): string | undefined {
  const parts = Array.from(matches, read).filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? undefined : parts.join('\n');
}

/** Returns the text if at least nine tenths of its characters are printable; `undefined` otherwise. */
function printable(text: string): string | undefined {
  const characters = text.replace(/[^\x20-\x7e\n\t\u00a0-\ufffc]/g, '');
  return text.length > 0 && characters.length >= text.length * 0.9 ? characters : undefined;
}

/** Returns the printable sequences between other bytes, because decoding may start in the middle of the data or include a word before it. */
function printableRuns(text: string): string | undefined {
  return text.match(/[\x20-\x7e\n\t\u00a0-\ufffc]{6,}/g)?.join('\n');
}

function readEscapes(text: string): string | undefined {
  if (!/\\[ux]|U\+|%u/i.test(text)) return undefined;
  return text.replace(/\\u\{([0-9a-f]{1,6})\}|(?:\\u|%u|U\+)([0-9a-f]{4})[\s,]?|\\x([0-9a-f]{2})/gi, (_, long?: string, four?: string, two?: string) =>
    fromCodes([long ?? four ?? two ?? ''], 16),
  );
}

function readEntities(text: string): string | undefined {
  if (!/&#?\w+;/.test(text)) return undefined;
  return text.replace(/&#(\d{1,7});|&#x([0-9a-f]{1,6});/gi, (_, decimal?: string, hex?: string) =>
    decimal === undefined ? fromCodes([hex ?? ''], 16) : fromCodes([decimal], 10),
  );
}

/** Decodes invisible text: tag characters are invisible ASCII, and two zero-width characters encode bits. */
function readHidden(text: string): string | undefined {
  const tags = Array.from(text.matchAll(/[\u{e0020}-\u{e007e}]/gu), ([tag]) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000)).join('');
  if (tags !== '') return tags;
  const blanks = text.match(/[\u200b\u200c\u200d\u2060\ufeff]/g) ?? [];
  if (blanks.length < 40) return undefined;
  const zero = blanks.find((one) => one !== '\u200d');
  const bits = blanks.map((blank) => (blank === zero ? '0' : '1')).join('');
  const inverted = bits.replace(/[01]/g, (bit) => (bit === '0' ? '1' : '0'));
  return [bits, inverted].map((one) => printable(fromCodes(one.match(/[01]{8}/g) ?? [], 2))).find((one) => one !== undefined);
}

function readBase64(text: string): string | undefined {
  return joined(text.matchAll(/[a-z0-9+/_-]{8,}(?:[^a-z0-9+/_-]{1,3}[a-z0-9+/_-]{4,})*/gi), ([run]) => {
    const digits = run.replace(/[^a-z0-9+/_-]/gi, '');
    // Between parts of equal length, these characters are separators, as in a path.
    const parts = digits.split(/[+/_-]/);
    const isSplit = parts.length >= 4 && parts.slice(1, -1).every(({ length }) => length === parts[1]?.length);
    return (isSplit ? [digits, parts.join('')] : [digits])
      .flatMap((form) => [0, 1, 2, 3].flatMap((skipped) => printableRuns(utf8(form.slice(skipped), 'base64')) ?? []))
      .join('\n');
  });
}

function readBase32(text: string): string | undefined {
  return joined(text.matchAll(/[a-z2-7]{13,}/gi), ([run]) => {
    let bits = '';
    for (const digit of run.toLowerCase()) bits += 'abcdefghijklmnopqrstuvwxyz234567'.indexOf(digit).toString(2).padStart(5, '0');
    return printable(fromCodes(bits.match(/[01]{8}/g) ?? [], 2));
  });
}

/** Decodes pairs of hex digits with up to three other characters between them: `68 75`, `6875/6e74`, `0x68, 0x75`. */
function readHex(text: string): string | undefined {
  return joined(text.matchAll(/(?:(?:0x|\\x)?[0-9a-f]{2}[^\da-z]{0,3}){6,}[0-9a-f]?/gi), ([run]) => {
    const digits = run.replace(/0x|\\x|[^0-9a-f]/gi, '');
    return [0, 1].flatMap((skipped) => printableRuns(utf8(digits.slice(skipped), 'hex')) ?? []).join('\n');
  });
}

/** Decodes decimal or octal codes with one to three other characters between them, or decimal codes without separators. */
function readCodes(text: string): string | undefined {
  const separate = joined(text.matchAll(/(?:0o|\b)\d{2,4}(?:[^\da-z]{1,3}(?:0o)?\d{2,4}){5,}/gi), ([run]) => {
    const codes = run.replace(/0o/gi, '').match(/\d+/g) ?? [];
    const octal = codes.some((code) => /[89]/.test(code)) ? undefined : printable(fromCodes(codes, 8));
    return [printable(fromCodes(codes, 10)), octal].filter((one) => one !== undefined).join('\n');
  });
  // Codes of printable ASCII characters have two digits from 32 on and three from 100 on, so they need no separator.
  const adjacent = joined(text.matchAll(/\d{12,}/g), ([run]) => printable(fromCodes(run.match(/1[0-2]\d|[3-9]\d/g) ?? [], 10)));
  return separate === undefined ? adjacent : adjacent === undefined ? separate : `${separate}\n${adjacent}`;
}

function fromCodes(codes: readonly string[], base: number): string {
  return codes
    .map((code) => parseInt(code, base))
    .map((code) => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''))
    .join('');
}

/** Shifts a letter in the alphabet; other characters stay unchanged. */
function shiftLetter(letter: string, by: number): string {
  const code = letter.charCodeAt(0);
  const first = code >= 97 ? 97 : 65;
  return code >= first && code < first + 26 ? String.fromCharCode(((code - first + by) % 26) + first) : letter;
}
