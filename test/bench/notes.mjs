// `node test/bench/notes.mjs`: measures the memory with 100,000 notes in one file: first recall, recall with the index, remember (with fsync)
// and compaction. `--notes 10000` sets another number, `--json` prints JSON. Runs from the sources.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { percentile, root } from './client.mjs';

const asked = process.argv.indexOf('--notes');
const count = asked === -1 ? 100_000 : Number(process.argv[asked + 1]);
const place = mkdtempSync(join(tmpdir(), 'bench-notes-'));
const rows = [];
const add = (measure, value, target = '') => rows.push({ measure, value: Number(value.toFixed(2)), target });

function createRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const random = createRandom(7);
/** A word distribution with few common and many rare words, as in natural language. */
const syllables = ['ka', 'ro', 'min', 'tel', 'vas', 'dor', 'lu', 'pen', 'shi', 'gar', 'bel', 'nor', 'fi', 'zu', 'tam', 'wex'];
const wordAt = (rank) => {
  let word = '';
  for (let rest = rank + 16; rest > 0; rest = Math.floor(rest / 16)) word += syllables[rest % 16];
  return word;
};
const word = () => wordAt(Math.floor(30_000 ** random()) - 1);
const sentence = (words) => Array.from({ length: words }, word).join(' ');

async function timed(times, work) {
  const spent = [];
  for (let at = 0; at < times; at++) {
    const begun = performance.now();
    await work(at);
    spent.push(performance.now() - begun);
  }
  return spent;
}

/** Measures the longest time that the event loop was blocked. */
function watchLoop() {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 5);
    last = now;
  }, 5);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

async function run() {
  const outfile = join(place, 'notes.mjs');
  await build({
    ...{
      entryPoints: [join(root, 'test/unit/builtins/memory/note-writer.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['source'],
      logLevel: 'silent',
    },
    banner: { js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);" },
  });
  const begun = performance.now();
  const { openWriter } = await import(pathToFileURL(outfile).href);
  add('loading the code, ms', performance.now() - begun);

  const at = new Date(Date.now() - 86_400_000).toISOString();
  const map = {};
  for (let index = 0; index < count; index++) {
    const note = {
      value: sentence(35),
      createdAt: at,
      updatedAt: at,
      accessCount: 0,
      confidence: 1,
      links: [],
      source: { kind: 'user', ref: 'bench' },
      revision: 1,
    };
    map[`fact:${word()}-${index}`] = note;
  }
  const list = join(place, '.agent_notes.json');
  writeFileSync(
    list,
    `{\n${Object.entries(map)
      .map(([id, note]) => `${JSON.stringify(id)}:${JSON.stringify(note)}`)
      .join(',\n')}\n}\n`,
  );
  add('size of the file, MB', statSync(list).size / 1e6);

  const opening = performance.now();
  const writer = await openWriter(join(place, 'home'), { isGraphOn: true });
  add('opening the memory: nothing is read, ms', performance.now() - opening);
  const where = { chatId: 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV', workspaceRoot: place };
  const loop = watchLoop();
  const [first] = await timed(1, () => writer.store.recall(where, sentence(8)));
  add('first recall of 8 words: the file is scanned, ms', first, '<= 300');
  // A list query waits for the index.
  const [indexed] = await timed(1, () => writer.store.list(where, { q: wordAt(3), limit: 1 }));
  add('file read and index built beside it, ms more', indexed);
  const [firstIndexed] = await timed(1, () => writer.store.recall(where, sentence(8)));
  add('first recall with the index, ms', firstIndexed);
  add('… longest stretch without letting others run, ms', loop());

  let busy = process.cpuUsage();
  const spent = (times) => {
    const { user, system } = process.cpuUsage(busy);
    busy = process.cpuUsage();
    return (user + system) / 1_000 / times;
  };
  const recall = await timed(300, () => writer.store.recall(where, sentence(8)));
  add('recall of 8 words, p50 ms', percentile(recall, 0.5));
  add('… p95 ms', percentile(recall, 0.95), '<= 10');
  add('… processor time of each, ms', spent(300));
  const long = await timed(100, () => writer.store.recall(where, sentence(300)));
  add('recall of 300 words, p95 ms', percentile(long, 0.95), '< 30');
  const source = { kind: 'user', ref: 'bench' };
  spent(1);
  const remember = await timed(1_000, (index) => writer.store.remember(where, { type: 'fact', key: `new-${index}`, value: sentence(35), source }));
  add('remember, linked and on the disk, p50 ms', percentile(remember, 0.5));
  add('… p95 ms', percentile(remember, 0.95), '< 10');
  add('… longest ms', percentile(remember, 1));
  add('… processor time of each, ms', spent(1_000));
  const found = await writer.store.recall(where, 'new-999');
  if (!found.some(({ note }) => note.key === 'new-999')) throw new Error('a note that was just remembered is not found');
  const folding = performance.now();
  const foldLoop = watchLoop();
  await writer.close();
  add('close, ms', performance.now() - folding);
  add('… longest stretch without letting others run, ms', foldLoop());
}

try {
  await run();
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else for (const { measure, value, target } of rows) process.stdout.write(`${measure.padEnd(60)} ${String(value).padStart(10)}  ${target}\n`);
} finally {
  rmSync(place, { recursive: true, force: true });
}
