// Measures page performance with the browser's own metrics. `npm run build` first, then `node test/bench/page.mjs [seconds]`.
import { join } from 'node:path';
import { runnerImport } from 'vite';

const root = join(import.meta.dirname, '../..');
const load = async (path) => (await runnerImport(join(root, path))).module;
const { launchBrowser, openVisit } = await load('test/helpers/browser.ts');
const { measureStream, noteFigures, readHeap, readStartFigures, streamedReply } = await load('test/system/browser/measure-page.ts');
const { writeChat } = await load('test/system/browser/write-chat.ts');

const seconds = Number(process.argv[2] ?? 60);
const rows = [];
const add = (name, value, goal) => rows.push({ name, value, goal });
const ms = (value) => `${Math.round(value)} ms`;
const mb = (value) => `${(value / 1e6).toFixed(1)} MB`;

const browser = await launchBrowser();
try {
  await benchStart();
  await benchLongChat();
  await benchStream();
} finally {
  await browser.close();
}
const width = Math.max(...rows.map(({ name }) => name.length));
for (const { name, value, goal } of rows) process.stdout.write(`${name.padEnd(width)}  ${String(value).padStart(12)}  ${goal ?? ''}\n`);

async function opened(options, work) {
  const visit = await openVisit(browser, { ...options, isClosed: true });
  try {
    const page = await visit.context.newPage();
    await noteFigures(page);
    await work(page, visit);
  } finally {
    await visit.close();
  }
}

async function benchStart() {
  const starts = [];
  for (let round = 0; round < 5; round++) {
    await opened({}, async (page, { origin }) => {
      await page.goto(origin);
      starts.push(await readStartFigures(page));
    });
  }
  starts.sort((a, b) => a.interactive - b.interactive);
  const { bytes, files, firstPaint, interactive } = starts[2];
  add('first load, compressed', `${Math.round(bytes / 1000)} kB`, '≤ 200 kB');
  add('… files', files);
  add('first paint (median of 5, nothing cached)', ms(firstPaint));
  add('interactive', ms(interactive), '≤ 1000 ms');
}

async function benchLongChat() {
  await opened({ prepare: (place) => void writeChat({ ...place, entries: 10_000 }) }, async (page, { origin }) => {
    const started = performance.now();
    await page.goto(origin);
    await page.getByText('answer 4999:').first().waitFor();
    add('a chat of 10,000 entries shows its end', ms(performance.now() - started));
  });
}

async function benchStream() {
  const deltas = Math.ceil((seconds * 1000) / 30) + 200;
  await opened({ prepare: (place) => void writeChat({ ...place, entries: 2_000 }), script: [streamedReply(deltas, 30)] }, async (page, { origin }) => {
    await page.goto(origin);
    await page.getByText('answer 999:').first().waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('write');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page
      .getByText(/quick brown/)
      .first()
      .waitFor();
    const { blockedShare, firstThird, heapEarly, heapLate, lastThird, longestTask, longTasks } = await measureStream(page, seconds * 1000);
    add(`2,000 deltas a minute into 2,000 entries, ${seconds} s: longest task`, ms(longestTask), '≤ 50 ms');
    add('… tasks of more than 50 ms', longTasks, '0');
    add('… share of the time in them', `${(blockedShare * 100).toFixed(2)} %`);
    add('… main thread, first third', `${firstThird.toFixed(2)} s`);
    add('… main thread, last third', `${lastThird.toFixed(2)} s`);
    add('… live heap after a third', mb(heapEarly));
    add('… live heap at the end', mb(heapLate), 'flat');
    await page.getByText('STANDBY').waitFor({ timeout: 60_000 });
    const grown = await readHeap(page);
    await page.reload();
    await page
      .getByText(/quick brown/)
      .first()
      .waitFor();
    await page.getByText('STANDBY').waitFor();
    // Both render the same content. The difference is compiled code and unreleased memory.
    add('… live heap after the answer', mb(grown));
    add('… the same chat freshly loaded', mb(await readHeap(page)));
  });
}
