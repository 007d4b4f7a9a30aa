// Character references of HTML: numbers, and the names that pages use.

/** U+00A0 to U+00FF in order: the names of ISO 8859-1 in HTML. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo ' +
  'frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute ' +
  'Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const others: Readonly<Record<string, string>> = {
  amp: '&', AMP: '&', lt: '<', LT: '<', gt: '>', GT: '>', quot: '"', QUOT: '"', apos: "'",
  ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„', lsaquo: '‹', rsaquo: '›',
  hellip: '…', bull: '•', dagger: '†', Dagger: '‡', permil: '‰', prime: '′', Prime: '″', euro: '€', trade: '™', numero: '№',
  larr: '←', uarr: '↑', rarr: '→', darr: '↓', harr: '↔', rArr: '⇒', lArr: '⇐', hArr: '⇔',
  minus: '−', infin: '∞', asymp: '≈', ne: '≠', le: '≤', ge: '≥', equiv: '≡', sum: '∑', prod: '∏', radic: '√', part: '∂', int: '∫', forall: '∀', exist: '∃', isin: '∈',
  Alpha: 'Α', Beta: 'Β', Gamma: 'Γ', Delta: 'Δ', Theta: 'Θ', Lambda: 'Λ', Pi: 'Π', Sigma: 'Σ', Phi: 'Φ', Psi: 'Ψ', Omega: 'Ω',
  alpha: 'α', beta: 'β', gamma: 'γ', delta: 'δ', epsilon: 'ε', zeta: 'ζ', eta: 'η', theta: 'θ', kappa: 'κ', lambda: 'λ', mu: 'μ', nu: 'ν', xi: 'ξ', pi: 'π', rho: 'ρ', sigma: 'σ', tau: 'τ', phi: 'φ', chi: 'χ', psi: 'ψ', omega: 'ω',
  ensp: ' ', emsp: ' ', thinsp: ' ', zwnj: '\u200c', zwj: '\u200d', lrm: '\u200e', rlm: '\u200f', OElig: 'Œ', oelig: 'œ', Scaron: 'Š', scaron: 'š', Yuml: 'Ÿ', fnof: 'ƒ', circ: 'ˆ', tilde: '˜',
  check: '✓', star: '☆', starf: '★', hearts: '♥', lbrace: '{', rbrace: '}', lbrack: '[', rbrack: ']', lpar: '(', rpar: ')', colon: ':', comma: ',', period: '.', num: '#', dollar: '$', percnt: '%', plus: '+', equals: '=', excl: '!', quest: '?', lowbar: '_', grave: '`', sol: '/', bsol: '\\', vert: '|', NewLine: '\n', Tab: '\t',
}; // prettier-ignore

/** The characters of windows-1252 at 128 to 159; browsers show them for these numbers in references, too. */
export const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const names: ReadonlyMap<string, string> = new Map([
  ...latin.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(160 + index)]),
  ...Object.entries(others),
]);

const oldest: ReadonlySet<string> = new Set(['amp', 'lt', 'gt', 'quot', 'nbsp']);

/** A name that is not known stays as it stands. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,30}));?/gi, (all: string, decimal?: string, hex?: string, name?: string) => {
    // Addresses have parts such as &copy=1: without a semicolon only the oldest names count.
    if (name !== undefined) return all.endsWith(';') || oldest.has(name) ? (names.get(name) ?? all) : all;
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
    if (code >= 128 && code <= 159) return windows1252[code - 128] ?? '';
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code);
  });
}
