// How long web_fetch takes for each kind of page, and how much of the article it keeps. `node test/bench/web-fetch.mjs [rounds]`.
import { median } from './client.mjs';
import { openSources } from './sources.mjs';

const { load, close } = await openSources();
const { openWeb } = await load('test/unit/builtins/web/web-world.ts');
const { site, countMarks } = await load('test/unit/builtins/web/pages/site.ts');
const { savedPages, readSaved, phrasesIn } = await load('test/unit/builtins/web/pages/saved.ts');

const rounds = Number(process.argv[2] ?? 5);
const partChars = 40_000;

/** Times of a first read, a further part from the kept page, and the text of all parts. */
async function measure(web, path) {
  const started = performance.now();
  let part = await web.read(path, { maxChars: partChars });
  const first = performance.now() - started;
  let text = part;
  for (let next; (next = /go on with offset (\d+)/.exec(part)?.[1]); text += part) part = await web.read(path, { maxChars: partChars, offset: Number(next) });
  return { first, text };
}

async function measureAll(web, name) {
  const runs = [];
  for (let round = 0; round < rounds; round++) runs.push(await measure(web, `/${name}?round=${round}`));
  return { ms: median(runs.map(({ first }) => first)), text: runs[0].text };
}

const stripped = await openWeb();
const article = await openWeb({ AGENT_WEB_READABILITY: '1' });
const rows = [['page', 'KB', 'stripped, ms', 'article, ms', 'chars stripped', 'chars article', 'kept of article', 'kept of frame']];
const percent = (part, whole) => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(0)} %`);

/** `inArticle`, `inFrame`: shares of a text, as shown. */
async function addRow(name, size, inArticle, inFrame) {
  const plain = await measureAll(stripped, name);
  const read = await measureAll(article, name);
  rows.push([
    name,
    (size / 1000).toFixed(0),
    plain.ms.toFixed(1),
    read.ms.toFixed(0),
    plain.text.length,
    read.text.length,
    inArticle(read.text),
    inFrame(read.text),
  ]);
}

try {
  await measure(article, '/docs');
  for (const [name, { body, marks }] of Object.entries(site))
    await addRow(
      name,
      body.length,
      (text) => percent(countMarks(text, marks), marks),
      () => '',
    );
  for (const [name, page] of Object.entries(savedPages)) {
    const body = readSaved(name);
    for (const web of [stripped, article]) web.server.on(`/${name}`, (_, response) => void response.writeHead(200, { 'content-type': page.type }).end(body));
    const share = (phrases) => (text) => percent(phrasesIn(text, phrases).length, phrases.length);
    await addRow(name, body.length, share(page.article), share(page.frame));
  }
} finally {
  await stripped.close();
  await article.close();
  await close();
}
const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
for (const row of rows)
  process.stdout.write(`${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : String(cell).padStart(widths[column]))).join('  ')}\n`);
