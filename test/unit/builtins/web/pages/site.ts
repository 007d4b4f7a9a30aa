// Generates twenty kinds of pages. Article sentences end in a mark so that a test can count the kept ones.
import { makePdf } from '../../../../helpers/make-pdf.ts';

export interface SavedPage {
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly marks: number;
}

export const mark = (number: number): string => `[mark ${number}]`;

export function countMarks(text: string, count: number): number {
  return Array.from({ length: count }, (_, index) => mark(index + 1)).filter((one) => text.includes(one)).length;
}

const words = 'river stone bridge winter market lantern garden copper window station harbour meadow engine letter mountain'.split(' ');
const sentence = (number: number): string =>
  `The ${words[number % words.length]} near the ${words[(number * 7 + 3) % words.length]} was described in detail, with figures, names, and a short account of how it came about ${mark(number)}.`;
const paragraphs = (count: number, from = 1): string => Array.from({ length: count }, (_, index) => `<p>${sentence(from + index)}</p>`).join('\n');
const links = (count: number, word: string): string =>
  Array.from(
    { length: count },
    (_, index) => `<li><a href="/${word}/${index}" class="menu__link menu__link--plain" data-track="${word}-${index}">${word} ${index}</a></li>`,
  ).join('');
const page = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;
const html = (body: string, marks: number, type = 'text/html; charset=utf-8'): SavedPage => ({ type, body, marks });
const script = (chars: number): string => `<script>var state = "${'x<p>y</p>'.repeat(Math.ceil(chars / 9))}";</script>`;
const drawing = (chars: number): string => `<svg viewBox="0 0 10 10"><path d="${'M1 2L3 4'.repeat(Math.ceil(chars / 8))}"/><text>drawn</text></svg>`;

const post = (number: number): string =>
  `<div class="post" id="post-${number}"><div class="post__author"><a href="/user/${number}">member ${number}</a></div><div class="post__body"><p>${sentence(number)} I have tried the same thing, and it worked for me after a second try, as others said before.</p></div></div>`;
const row = (number: number): string => `<tr><td>${number}</td><td>${words[number % words.length]}</td><td>${mark(number)}</td></tr>`;

/** Encodes text as windows-1252; supports Latin-1 and the euro sign. */
const toWindows1252 = (text: string): Uint8Array => Uint8Array.from(text, (char) => (char === '€' ? 0x80 : char.charCodeAt(0)));
/** 日本語のページ encoded in Shift_JIS. */
const japanese = [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc, 0x83, 0x79, 0x81, 0x5b, 0x83, 0x57];

export const site: Readonly<Record<string, SavedPage>> = {
  news: html(
    page(
      'Bridge opens',
      `<header class="site"><div>${links(150, 'section')}</div></header><nav><ul>${links(300, 'topic')}</ul></nav><div class="layout"><article class="story"><h1>Bridge opens</h1>${paragraphs(40)}<aside>${links(40, 'related')}</aside></article><aside>${links(200, 'teaser')}</aside></div><footer>${links(200, 'legal')}</footer>`,
      `<link rel="stylesheet" href="/never.css"><style>.a{color:red}</style>${script(5000)}`,
    ),
    40,
  ),
  docs: html(
    page(
      'API reference',
      `<nav>${links(120, 'chapter')}</nav><main><h1>API reference</h1>${paragraphs(12)}<h2>Example</h2><pre><code>const answer = await call({\n  deep: true,\n});</code></pre>${paragraphs(12, 13)}</main>`,
    ),
    24,
  ),
  blog: html(
    page('My notes', `<header><h1>My notes</h1></header><div id="content" class="entry">${paragraphs(20)}</div><div class="comments"><p>Nice!</p></div>`),
    20,
  ),
  forum: html(
    page(
      'How to?',
      `<div class="crumbs">${links(20, 'board')}</div><div class="thread">${Array.from({ length: 30 }, (_, index) => post(index + 1)).join('')}</div>`,
    ),
    30,
  ),
  shop: html(
    page(
      'Copper kettle',
      `<nav>${links(250, 'category')}</nav><div class="product"><h1>Copper kettle</h1><p class="price">€ 49.90</p><img src="data:image/png;base64,${'A'.repeat(30_000)}" alt="kettle"><div class="product-description">${paragraphs(10)}</div><form><select>${'<option>1</option>'.repeat(300)}</select><button>Buy</button></form></div>`,
    ),
    10,
  ),
  wiki: html(
    page(
      'Lantern',
      `<div id="mw-panel" role="navigation">${links(150, 'lang')}</div><div id="content" role="main"><h1>Lantern</h1>${paragraphs(15)}<table class="wikitable"><tr><th>Year</th><th>Use</th></tr><tr><td>1820</td><td>street &amp; harbour</td></tr></table>${paragraphs(15, 16)}</div>`,
    ),
    30,
  ),
  long: html(page('Long', `<nav>${links(100, 'part')}</nav><article><h1>Long</h1>${paragraphs(3300)}</article>`), 3300),
  buried: html(
    page(
      'Buried',
      `${drawing(40_000)}<div hidden>${'<p>hidden words that nobody sees</p>'.repeat(800)}</div><!-- ${'comment '.repeat(3000)} --><nav>${links(600, 'deep')}</nav><div class="wrap"><article>${paragraphs(60)}</article></div>`,
      script(110_000),
    ),
    60,
  ),
  western: { type: 'text/html; charset=windows-1252', body: toWindows1252(page('Café', `<p>Crème brûlée für 5 € ${mark(1)}</p>`)), marks: 1 },
  japanese: {
    type: 'text/html; charset=Shift_JIS',
    body: Buffer.concat([Buffer.from('<title>x</title><p>'), Buffer.from(japanese), Buffer.from(`${mark(1)}</p>`)]),
    marks: 1,
  },
  rtl: html(page('מבחן', `<article dir="rtl"><h1>מבחן</h1>${paragraphs(5)}<p>שלום עולם, זה טקסט מימין לשמאל ${mark(6)}</p></article>`), 6),
  json: { type: 'application/json', body: JSON.stringify({ name: 'kettle', parts: [1, 2], note: mark(1) }), marks: 1 },
  text: { type: 'text/plain', body: `First line\r\n  indented < 5 ${mark(1)}\r\n`, marks: 1 },
  markdown: { type: 'text/markdown; charset=utf-8', body: `# Title\n\n* item <b>kept</b> ${mark(1)}\n`, marks: 1 },
  feed: {
    type: 'application/rss+xml',
    body: `<?xml version="1.0"?><rss><channel><title>Feed</title><item><title>One ${mark(1)}</title></item></channel></rss>`,
    marks: 1,
  },
  pdf: { type: 'application/pdf', body: makePdf([`First page ${mark(1)}`, `Second page ${mark(2)}`]), marks: 2 },
  empty: html('', 0),
  app: html(page('App', '<div id="root"></div>', script(2000)), 0),
  frames: html('<html><head><title>Frames</title></head><frameset cols="20%,80%"><frame src="/menu"><frame src="/blog"></frameset></html>', 0),
  broken: html(
    `<title>Broken<body><div hidden><div><p>${sentence(1)}<b><i>${sentence(2)}</b></p></div <p class="x>y" id='q'>${sentence(3)}<table><td>${mark(4)} 5 < 6 && 7 > 2<a href="/x`,
    4,
  ),
  table: html(page('Table', `<main><h1>Table</h1><table>${Array.from({ length: 2000 }, (_, index) => row(index + 1)).join('')}</table></main>`), 2000),
  pictures: html(
    page(
      'Pictures',
      `<article><h1>Pictures</h1>${Array.from({ length: 8 }, (_, index) => `<img src="data:image/jpeg;base64,${'Q'.repeat(12_000)}"><p>${sentence(index + 1)}</p>`).join('')}</article>`,
    ),
    8,
  ),
};
