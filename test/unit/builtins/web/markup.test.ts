// Tests the conversion of single pieces of markup, with tags stripped and as an article.
import { expect, test } from 'vitest';
import { openWeb, readWhole, type WebWorld } from './web-world.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const plain = useAll(() => openWeb());
const article = useAll(() => openWeb({ AGENT_WEB_READABILITY: '1' }));

let count = 0;
async function read(web: WebWorld, body: string): Promise<string> {
  const path = `/markup-${++count}`;
  web.server.on(path, (_, response) => void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body));
  return readWhole(web, path);
}

const prose = (about: string, times = 6): string =>
  `<p>${`A sentence about ${about}, which says enough, and is long enough, to count as prose. `.repeat(times)}</p>`;
const links = (word: string, times: number): string =>
  Array.from({ length: times }, (_, index) => `<li><a href="/${word}/${index}">${word} number ${index}</a></li>`).join('');

test('omits link addresses within code and separates adjacent code elements by lines', async () => {
  expect(await read(plain, '<pre>call(<a href="/type">Type</a> one,\n     <a href="/type">Type</a> two)</pre><p><a href="/type">Type</a></p>')).toBe(
    `call(Type one,\n     Type two)\n\nType (${plain.server.url}/type)`,
  );
  expect(await read(plain, '<pre><code>first()</code><code>second()</code></pre>')).toBe('first()\nsecond()');
});

test('puts list items and table rows on consecutive lines, with their paragraphs inline', async () => {
  expect(await read(plain, '<ul>\n<li>one</li>\n<li><p>two</p></li>\n<li><div>three</div></li>\n</ul>')).toBe('- one\n- two\n\n- three');
  const table = '<table>\n<tr><th>Name</th><th>Use</th></tr>\n<tr><td><p>kettle</p></td><td>\n<div>tea</div></td><td></td></tr></table>';
  expect(await read(plain, table)).toBe('Name | Use\nkettle | tea');
  expect(await read(plain, 'one<br><br>two')).toBe('one\n\ntwo');
});

test('keeps the lines of multi-line cells', async () => {
  expect(await read(plain, '<table><tr><td><p>one</p><p>two</p></td><td>three</td></tr></table>')).toMatch(/one\n\ntwo\n\n ?\| three/);
});

test('omits permalink marks of headings', async () => {
  expect(await read(plain, '<h2>Menus<a href="#menus">¶</a></h2><h3><a href="#a">§</a>Part</h3><p>Issue <a href="/7">#7</a></p>')).toBe(
    `## Menus\n\n### Part\n\nIssue #7 (${plain.server.url}/7)`,
  );
});

test('renders exponents with ^ and leaves ordinals and note marks unchanged', async () => {
  expect(await read(plain, '<p>2<sup>n - 1</sup> and 10<sup>-3</sup> m<sup>2</sup>, the 1<sup>st</sup> word<sup>4</sup></p>')).toBe(
    '2^(n - 1) and 10^-3 m^2, the 1st word4',
  );
});

test('keeps a section whose id resembles page chrome', async () => {
  const page = `<main><h1>Manual</h1>${prose('the start', 12)}<section id="menus"><h2>Menus</h2><dl><dt>Open</dt><dd><p>Asks for a file.</p></dd></dl></section><section id="footer"><h2>Footer</h2>${prose('footers')}</section></main>`;
  expect(await read(article, page)).toMatch(/## Menus\s+Open\s+Asks for a file\.\s+## Footer\s+A sentence about footers/);
});

test('restores nothing from outside the article', async () => {
  const page = `<body><div class="gallery"><h2>Pictures</h2>${prose('pictures', 1)}</div><div class="body"><h1>Details</h1><div>${prose('details', 20)}${prose('more', 20)}</div></div><div class="comments"><h2>Opinions</h2>${prose('opinions')}</div><div class="newsletter"><h3>Letter</h3><pre>subscribe</pre></div><div class="related"><h3>Stories</h3><ul>${links('story', 8)}</ul></div></body>`;
  const text = await read(article, page);
  expect(text).toMatch(/A sentence about details[\s\S]*A sentence about more/);
  expect(text).not.toMatch(/Pictures|opinions|Letter|subscribe|story number/);
});

test('continues an article beyond the search limit and stops at its end', async () => {
  const page = `<body><div class="story"><h1>Long</h1>${prose('the start', 40).repeat(30)}<p>The very last words of the story stand here.</p></div><div class="disqus">${prose('opinions', 30)}</div><div>${prose('other things', 30)}</div></body>`;
  const text = await read(article, page);
  expect(text).toContain('The very last words of the story stand here.');
  expect(text).not.toMatch(/opinions|other things/);
});

test('separates cells without closing tags', async () => {
  const rows = '<table><tr><th>Name<th>Age<tr><td>Ann<td>5<tr><td>Bo<td><table><tr><td>in<td>ner</table><td>6</table>';
  expect(await read(plain, rows)).toMatch(/^Name \| Age\nAnn \| 5\nBo[\s|]+in \| ner[\s|]+6$/);
  expect(await read(article, `<article><h1>Ages</h1>${prose('ages', 20)}${rows}${prose('more', 20)}</article>`)).toMatch(/Ann \| 5\n/);
  expect(await read(plain, '<button>One</button><button>Two</button>')).toBe('One Two');
});

test('omits hidden content', async () => {
  const page =
    '<p>shown</p><div hidden>one</div><div style="color:red; DISPLAY : none">two<div>three</div></div><span style="visibility:hidden">four</span><dialog>five</dialog><dialog open>asked</dialog><p>end</p><datalist><option>six</option></datalist>';
  expect((await read(plain, page)).split(/\s+/)).toEqual(['shown', 'asked', 'end']);
});

test('omits the menu cell of a page laid out as a table', async () => {
  const page = `<table><tr><td><b>Menu</b><ul>${links('topic', 20)}</ul></td><td><h1>News</h1>${prose('news', 30)}<table><tr><td>kettle</td><td>${prose('tea')}</td></tr></table></td></tr></table>`;
  const text = await read(article, page);
  expect(text).toMatch(/A sentence about news[\s\S]*kettle \| A sentence about tea/);
  expect(text).not.toContain('topic number');
});

test('keeps a page that consists of links', async () => {
  const text = await read(article, `<main><h1>Index</h1><p>All the pages, in order.</p><ul>${links('page', 60)}</ul></main>`);
  expect(text).toMatch(/page number 0[\s\S]*page number 59/);
});

test('resolves article links against the base address of the page', async () => {
  const page = `<head><base href="/shelf/"></head><article><h1>Shelves</h1>${prose('shelves')}<p>More, as said, in <a href="next">the next part</a>.</p></article>`;
  expect(await read(article, page)).toContain(`the next part (${article.server.url}/shelf/next)`);
  expect(await read(article, page.replace('/shelf/', 'http://['))).toMatch(/the next part \(http:\/\/[^/]+\/next\)/);
});

test('keeps the byline when the author is also named in the metadata', async () => {
  const body = `<article><h1>Rivers</h1><p class="byline">By Ann Abel</p>${prose('rivers', 20)}</article>`;
  const record = JSON.stringify({ '@context': 'https://schema.org', '@type': 'NewsArticle', headline: 'Rivers of the north', author: { name: 'Ann Abel' } });
  for (const head of ['<meta name="author" content="Ann Abel">', `<script type="application/ld+json">${record}</script>`])
    expect(await read(article, `<head><title>Rivers</title>${head}</head><body>${body}</body>`)).toContain('By Ann Abel');
});

test('keeps headings with class header and code full of links', async () => {
  const call = (name: string): string =>
    `<h3 class="code-header">fn ${name}(river)</h3><pre>let <a href="/${name}">${name}</a> = <a href="/make">make</a>();</pre>`;
  const text = await read(article, `<main><h1>Calls</h1>${prose('calls')}<div>${call('first')}${call('second')}</div>${prose('ends')}</main>`);
  expect(text).toMatch(/### fn first\(river\)\s+let first = make\(\);\s+### fn second\(river\)\s+let second = make\(\);/);
});

test('does not count anchors as links, closed or not', async () => {
  const part = (name: string): string => `<div><h3><a name="${name}"/>About ${name}</h3><p>What there is to say, in short, of ${name}.</p></div>`;
  const names = ['oak', 'elm', 'ash', 'fir'];
  const text = await read(article, `<body><h1>Trees</h1><div>${prose('trees', 20)}${names.map(part).join('')}</div></body>`);
  for (const name of names) expect(text).toMatch(new RegExp(`### About ${name}\\s+What there is to say, in short, of ${name}`));
});

test('omits forms between the parts of an article', async () => {
  const form = `<form><p>The letter of the paper, every morning.</p><p>Your address, please.</p><input name="mail"><input name="town"></form>`;
  const text = await read(article, `<article><h1>Lakes</h1>${prose('lakes', 20)}${form}${prose('shores', 20)}</article>`);
  expect(text).toMatch(/about lakes[^]*about shores/);
  expect(text).not.toContain('every morning');
});

test('continues with sibling chapters beyond the search limit', async () => {
  const chapters = Array.from({ length: 40 }, (_, index) => `<div class="chapter"><h2>Chapter ${index}</h2>${prose(`part ${index}`, 40)}</div>`);
  const text = await read(article, `<head><title>Book</title></head><body>${chapters.join('')}</body>`);
  for (const index of [0, 19, 39]) expect(text).toContain(`A sentence about part ${index},`);
});

test('replaces an embedded video with its address', async () => {
  const film = '<iframe src="https://www.youtube.com/embed/x1"></iframe><iframe src="https://ads.example/box"></iframe>';
  const text = await read(article, `<article><h1>Films</h1>${prose('films')}<p>${film}</p>${prose('ends')}</article>`);
  expect(text).toContain('(frame: https://www.youtube.com/embed/x1)');
  expect(text).not.toContain('ads.example');
});
