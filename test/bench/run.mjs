// `npm run bench`: measures start, memory, loop overhead, and stream delay and throughput, each beside its lower bound
// (the same client and model without a server between them) from the same run. Prints a table. `--json` prints JSON.
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchScale } from './scale.mjs';
import { call, freePort, median, now, percentile, readEvents, root, startModel, startServer } from './client.mjs';

const place = mkdtempSync(join(tmpdir(), 'bench-'));
const workspace = join(place, 'work');
mkdirSync(workspace);
writeFileSync(join(workspace, 'sample.txt'), 'x'.repeat(63).concat('\n').repeat(16));
const rows = [];
const add = (measure, value, floor, target) => rows.push({ measure, value, floor: floor ?? '', target: target ?? '' });
const rounded = (value, digits = 1) => Number(value.toFixed(digits));
let homes = 0;
const newHome = () => {
  const home = join(place, `home-${homes++}`);
  mkdirSync(home);
  return home;
};

const model = await startModel();
const withModel = async (home, extra = {}, flags = [], program = undefined) =>
  startServer({
    flags,
    home,
    workspace,
    program,
    environment: { PORT: String(await freePort()), AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'bench', ...extra },
  });

/** Alternates between no plugins and 200 no-op plugins, so that both run under the same machine load. */
async function benchStart() {
  const plugins = join(place, 'plugins');
  mkdirSync(plugins);
  for (let index = 0; index < 200; index++) writeFileSync(join(plugins, `no-op-${index}.mjs`), 'export function register() {}\n');
  const [bare, loaded, bareReady, loadedReady, memory] = [[], [], [], [], []];
  const [bareHome, loadedHome] = [newHome(), newHome()];
  for (let round = 0; round < 8; round++) {
    const one = await withModel(bareHome);
    const oneReady = await one.ready();
    if (round === 7) {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      memory.push(one.memory());
    }
    await one.stop();
    const other = await withModel(loadedHome, { AGENT_PLUGIN_DIR: plugins });
    const otherReady = await other.ready();
    await other.stop();
    if (round > 0) {
      bareReady.push(oneReady);
      loadedReady.push(otherReady);
      bare.push(one.startMs);
      loaded.push(other.startMs);
    }
  }
  add('start, spawn to first 200, ms (median of 7)', rounded(median(bare), 0), undefined, '≤ 250');
  add('200 no-op plugins add to that, ms', rounded(median(loaded) - median(bare), 0), undefined, '< 100');
  add('start until every plugin is ready, ms', rounded(median(bareReady), 0));
  add('200 no-op plugins add to that, ms', rounded(median(loadedReady) - median(bareReady), 0), undefined, '< 100');
  add('idle memory, MB RSS', rounded(median(memory), 0), undefined, '≤ 95');
}

/** Sends a message and reads the chat's stream to its `turn_end`. Returns the delta delays and the wall time. */
async function turn(server, text, chatId) {
  const delays = [];
  const arrivals = [];
  let sentAt = 0;
  let endedAt = 0;
  let end;
  await readEvents(`${server.url}/api/stream?chatId=${chatId}`, {
    token: server.token,
    onOpen() {
      sentAt = performance.now();
      void call(`${server.url}/api/message`, { method: 'POST', token: server.token, body: { text, chatId } }).then((reply) => {
        if (reply.status !== 202) throw new Error(`message refused: ${reply.status} ${reply.text}`);
      });
    },
    onEvent(event) {
      if (event.kind === 'text' && event.channel === 'user') {
        for (const stamp of event.delta.split(' ')) if (stamp) delays.push(now() - Number(stamp));
        arrivals.push(performance.now());
      }
      if (event.kind !== 'turn_end') return false;
      endedAt = performance.now();
      end = event;
      return true;
    },
  });
  if (end?.reason !== 'done') throw new Error(`the turn ended with ${JSON.stringify(end)}`);
  return { ms: endedAt - sentAt, delays, arrivals };
}

async function direct(text) {
  const delays = [];
  const arrivals = [];
  const started = performance.now();
  await readEvents(`${model.url}/chat/completions`, {
    method: 'POST',
    body: { messages: [{ role: 'user', content: text }] },
    onEvent(event) {
      if (event === '[DONE]') return true;
      const content = event.choices[0]?.delta?.content;
      if (content) {
        delays.push(now() - Number(content));
        arrivals.push(performance.now());
      }
      return false;
    },
  });
  return { ms: performance.now() - started, delays, arrivals };
}

const newChat = async (server) =>
  JSON.parse(
    (
      await call(`${server.url}/api/chats`, {
        method: 'POST',
        token: server.token,
        body: { workspaceMode: 'folder', workspaceRoot: workspace, activate: false },
      })
    ).text,
  ).chatId;
const perSecond = ({ arrivals }) => arrivals.length / ((arrivals.at(-1) - arrivals[0]) / 1_000);

async function benchTurns() {
  const fresh = await withModel(newHome());
  const least = await withModel(newHome(), {}, [], [join(root, 'test/bench/least-server.mjs')]);
  const chat = await newChat(fresh);
  const leastChat = await newChat(least);
  add('first turn after a start, ms', rounded((await turn(fresh, 'deltas 1 every 0', chat)).ms), rounded((await direct('deltas 1 every 0')).ms), '≤ 40');
  add('the same of the least server, ms', rounded((await turn(least, 'deltas 1 every 0', leastChat)).ms));
  for (let warm = 0; warm < 3; warm++) await turn(fresh, 'rounds 20', await newChat(fresh));

  const [small, smallFloor, smallLeast, loops] = [[], [], [], []];
  for (let round = 0; round < 10; round++) {
    const own = await newChat(fresh);
    const one = await turn(fresh, 'deltas 1 every 0', own);
    small.push(one.ms);
    smallLeast.push((await turn(least, 'deltas 1 every 0', leastChat)).ms);
    smallFloor.push((await direct('deltas 1 every 0')).ms);
    loops.push(((await turn(fresh, 'rounds 20', own)).ms - one.ms) / 20);
  }
  await least.stop();
  add('small turn, ms (median of 10)', rounded(median(small)), rounded(median(smallFloor)), '≤ 4');
  add('the same of the least server, ms', rounded(median(smallLeast)));
  const roundFloor = [];
  for (let round = 0; round < 40; round++) roundFloor.push((await direct('rounds 20')).ms);
  add('tool round (read 1 kB), journaled, ms (median of 10 × 20)', rounded(median(loops), 2), rounded(median(roundFloor), 2), '≤ 3');

  const [paced, pacedFloor, flat, flatFloor] = [[], [], [], []];
  for (let round = 0; round < 5; round++) {
    paced.push(await turn(fresh, 'deltas 200 every 5', await newChat(fresh)));
    pacedFloor.push(await direct('deltas 200 every 5'));
    flat.push(await turn(fresh, 'deltas 2000 every 0', await newChat(fresh)));
    flatFloor.push(await direct('deltas 2000 every 0'));
  }
  const delay = (runs, share) => rounded(median(runs.map((run) => percentile(run.delays, share))), 2);
  add('200 deltas at 5 ms, delay p50, ms', delay(paced, 0.5), delay(pacedFloor, 0.5));
  add('200 deltas at 5 ms, delay p99, ms', delay(paced, 0.99), delay(pacedFloor, 0.99), '≤ 1.2 or 3 × floor');
  const lost = flat.filter((run) => run.delays.length !== 2_000).length;
  add('2,000 deltas flat out, per second', rounded(median(flat.map(perSecond)), 0), rounded(median(flatFloor.map(perSecond)), 0), '≥ 25,000');
  add('2,000 deltas flat out, delay p99, ms', delay(flat, 0.99), delay(flatFloor, 0.99), '≤ 60');
  add('2,000 deltas flat out, runs that lost one', lost, undefined, '0');

  const p99Of = (runs) =>
    rounded(
      percentile(
        runs.flatMap((run) => run.delays),
        0.99,
      ),
      2,
    );
  const [together, togetherFloor] = [[], []];
  for (let round = 0; round < 3; round++) {
    const chats = await Promise.all(Array.from({ length: 20 }, () => newChat(fresh)));
    together.push(p99Of(await Promise.all(chats.map((chatId) => turn(fresh, 'deltas 200 every 5', chatId)))));
    togetherFloor.push(p99Of(await Promise.all(chats.map(() => direct('deltas 200 every 5')))));
  }
  add('20 chats × 200 deltas at 5 ms, delay p99, ms (median of 3)', median(together), median(togetherFloor), '≤ 5');
  add('memory after all the work, MB RSS', rounded(fresh.memory(), 0));
  await fresh.stop();
}

try {
  await benchStart();
  await benchTurns();
  await benchScale({ add, model, newChat, newHome, rounded, turn, withModel, workspace });
} finally {
  model.stop();
  rmSync(place, { recursive: true, force: true });
}
if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(rows, null, 1)}\n`);
else {
  const width = Math.max(...rows.map((row) => row.measure.length));
  process.stdout.write(`${'measure'.padEnd(width)}  ${'value'.padStart(9)}  ${'floor'.padStart(9)}  target\n`);
  for (const row of rows)
    process.stdout.write(`${row.measure.padEnd(width)}  ${String(row.value).padStart(9)}  ${String(row.floor).padStart(9)}  ${row.target}\n`);
}
