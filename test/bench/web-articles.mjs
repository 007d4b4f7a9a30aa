// How well web_fetch reads a folder of saved pages. `node test/bench/web-articles.mjs FOLDER [worst pages shown]`, after `npm run build`.
// Each page is a folder with `source.html` and, where somebody judged it, `expected.html`, as in test/test-pages of
// https://github.com/mozilla/readability. Without one, what the search for the article finds in the whole page counts as expected.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readability } from '@mozilla/readability';
import { Window } from 'happy-dom';
import { median } from './client.mjs';
import { openSources } from './sources.mjs';

const [folder, shown = '10'] = process.argv.slice(2);
if (!folder) throw new Error('Usage: node test/bench/web-articles.mjs FOLDER [worst pages shown]');
const { load, close } = await openSources();
const { openWeb, readWhole } = await load('test/unit/builtins/web/web-world.ts');
const { f1 } = await load('test/bench/word-score.ts');
const { stripHtml } = await load('plugins/lib/html-text.ts');
const { decodeText } = await load('builtins/tools/web/content-kind.ts');

const worlds = {
  stripped: await openWeb(),
  default: await openWeb({ AGENT_WEB_READABILITY: '1' }),
  raised: await openWeb({
    AGENT_WEB_READABILITY: '1',
    AGENT_WEB_FETCH_MAX_PREPROCESS_CHARS: '2000000',
    AGENT_WEB_FETCH_READABILITY_MAX_INPUT_CHARS: '250000',
  }),
};

/** The search on the whole page, with nothing around it: what it finds, and the time that alone takes. */
function searchPlainly(html) {
  const started = performance.now();
  const window = new Window({ settings: { enableJavaScriptEvaluation: false, disableJavaScriptFileLoading: true, disableCSSFileLoading: true } });
  const found = new Readability(new window.DOMParser().parseFromString(html, 'text/html')).parse()?.content ?? '';
  const ms = performance.now() - started;
  void window.happyDOM.close();
  return { found, ms };
}

const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'source.html')));
const rows = [];
try {
  for (const [index, name] of names.entries()) {
    const source = readFileSync(join(folder, name, 'source.html'));
    const plain = searchPlainly(decodeText(source, 'text/html'));
    const judged = join(folder, name, 'expected.html');
    const wanted = stripHtml(existsSync(judged) ? readFileSync(judged, 'utf8') : plain.found, new URL('http://localhost/')).text;
    const row = { name, kB: Math.round(source.length / 1000), isJudged: existsSync(judged), plainMs: plain.ms };
    for (const [kind, web] of Object.entries(worlds)) {
      web.server.on(`/${index}`, (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(source));
      const started = performance.now();
      await web.read(`/${index}`);
      row[`${kind}Ms`] = performance.now() - started;
      row[kind] = f1(await readWhole(web, `/${index}`), wanted);
    }
    rows.push(row);
  }
} finally {
  for (const web of Object.values(worlds)) await web.close();
  await close();
}
const mean = (key) => (rows.reduce((sum, row) => sum + row[key], 0) / rows.length).toFixed(4);
const ms = (key) => median(rows.slice(1).map((row) => row[key])).toFixed(1);
const say = (line) => process.stdout.write(`${line}\n`);
for (const row of rows.toSorted((left, right) => left.default - right.default).slice(0, Number(shown)))
  say(`${row.default.toFixed(3)} default  ${row.raised.toFixed(3)} raised  ${row.stripped.toFixed(3)} stripped  ${row.kB} kB  ${row.name}`);
say(`${rows.length} pages, ${rows.filter(({ isJudged }) => isJudged).length} of them with an expected article; mean F1 over words, median time of a call`);
for (const kind of Object.keys(worlds)) say(`${kind.padEnd(9)}${mean(kind)}  ${ms(`${kind}Ms`).padStart(7)} ms`);
say(`the search alone, whole page, in this process  ${ms('plainMs')} ms`);
