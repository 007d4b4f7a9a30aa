// What it costs to know where the text of a call came from: of a call that carries nothing out, and of one that is looked through, in a chat that read a lot.
// `node --expose-gc test/bench/flow.mjs`: runs from the sources.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median, root } from './client.mjs';

const workspaceRoot = mkdtempSync(join(tmpdir(), 'harness-flow-'));
writeFileSync(join(workspaceRoot, '.env'), Array.from({ length: 20 }, (_, at) => `SERVICE_${at}_KEY=k${at}x${(at + 3) ** 9}q${at * 7919}`).join('\n'));

const outfile = join(workspaceRoot, 'origins.mjs');
const from = (name) => `from ${JSON.stringify(join(root, 'builtins/turn/origins', name))};`;
const contents = `export { createOpenOrigins } ${from('create-origins.ts')} export { createWaitingTexts } ${from('waiting-texts.ts')}`;
await build({ stdin: { contents, resolveDir: root }, outfile, bundle: true, platform: 'node', format: 'esm', conditions: ['source'], logLevel: 'silent' });
const { createOpenOrigins, createWaitingTexts } = await import(pathToFileURL(outfile).href);

const waiting = createWaitingTexts();
const eventLog = { async *read() {} };
const origins = createOpenOrigins({ eventLog, tools: { find: () => undefined }, waiting, notes: undefined });
const place = { chatId: 'chat', workspaceRoot };
const page = (number) => Array.from({ length: 3_000 }, (_, at) => `word${(number * 7_919 + at * 31) % 99_991}`).join(' ');
const outside = (ref) => ({ kind: 'web', ref, isOutside: true });

const used = () => (globalThis.gc?.(), process.memoryUsage().heapUsed / 2 ** 20);
const heapBefore = used();
const texts = Array.from({ length: 40 }, (_, number) => page(number));
const heapOfTexts = used() - heapBefore;

async function measure(count, work) {
  const times = [];
  const before = process.cpuUsage();
  for (let at = 0; at < count; at++) {
    const start = performance.now();
    await work(at);
    times.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(before);
  return { median: round(median(times)), cpuOfEach: round((user + system) / 1000 / count) };
}
const round = (number) => Math.round(number * 1000) / 1000;

const noting = await measure(texts.length, (at) => waiting.note('chat', texts[at], outside(`page ${at}`)));
const first = await measure(1, () => origins.find(place, ['https://example.com/']));
await measure(200, (at) => origins.find(place, [`https://example.com/warm/${at}`]));
const address = await measure(300, (at) => origins.find(place, [`https://example.com/articles/2026/${at}/how-to-cook-rice?from=home`]));
// A round of a turn: a page of 20 kB was read, and the next call goes to an address.
const read = Array.from({ length: 100 }, (_, at) => page(100 + at));
const wholeRound = await measure(100, async (at) => {
  waiting.note('chat', read[at] ?? '', outside(`page ${100 + at}`));
  await origins.find(place, [`https://example.com/next/${at}`]);
});
const command = await measure(100, (at) =>
  origins.find(place, [`npm run build -- --mode production --number ${at} && node dist/index.js | tee log-${at}.txt`]),
);
console.log(
  JSON.stringify(
    { ms: { noting, first, address, wholeRound, command }, heapMb: { texts: round(heapOfTexts), origins: round(used() - heapBefore - heapOfTexts) } },
    undefined,
    1,
  ),
);
rmSync(workspaceRoot, { recursive: true, force: true });
