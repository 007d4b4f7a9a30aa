// `node test/bench/relay.mjs`: the cloud relay, after `npm run build`, on two nodes with PostgreSQL and NATS. What a guest does until it sees it, in
// milliseconds, with 50 ms to the relay and back on both sides; requests of sessions that nobody watches; and what of a thousand marks that were shown and
// said stands in the memory, the home folder or the logs of a node. `--rounds 60`, `--rtt 50`, `--sessions 20`, `--marks 1000`. Ends with 1 where a mark is found.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './client.mjs';
import { numberOf, percentiles, startNodes } from './plane/nodes.mjs';

const [rounds, rtt, sessions, marks] = [numberOf('rounds', 60), numberOf('rtt', 50), numberOf('sessions', 20), numberOf('marks', 1_000)];

/** Both ends and the marks, from their source. */
async function loadEnds() {
  const folder = mkdtempSync(join(root, 'node_modules', '.bench-relay-'));
  const outfile = join(folder, 'relay.mjs');
  try {
    const options = { bundle: true, platform: 'node', format: 'esm', conditions: ['source'], logLevel: 'error' };
    const contents = ['relay', 'planted-marks', 'process-memory'].map((name) => `export * from './test/helpers/${name}.ts';`).join('\n');
    await build({ ...options, stdin: { contents, resolveDir: root }, outfile });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each request and each answer comes half of the round trip later. */
function slowDown() {
  const plain = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    await delay(rtt / 2);
    const reply = await plain(...request);
    await delay(rtt / 2);
    return reply;
  };
  return () => (globalThis.fetch = plain);
}

const { askAs, openGuest, startScriptedHost, makeMarks, plantMarks, marksIn, textsInMemory, markBeginning } = await loadEnds();
const world = await startNodes();
const say = (line) => process.stdout.write(`${line}\n`);
let found = 0;
try {
  const token = await world.license('ann@example.org', 'member');
  const [first, second] = world.nodes;
  const hurry = slowDown();
  const host = await startScriptedHost({ ask: askAs(token, first.url), size: 80_000 });
  const guest = openGuest({ origin: second.url, code: host.code, secret: host.secret });
  await guest.until(({ frames }) => frames.length > 0);
  const took = [];
  for (let round = 0; round < rounds; round++) {
    await delay(300 + 40 * (round % 7));
    const sentAt = performance.now();
    const n = guest.click();
    await guest.until(({ frames }) => frames.at(-1)?.ackedInput >= n);
    took.push(performance.now() - sentAt);
  }
  hurry();
  const { p50, p99, max } = percentiles(took);
  say(`input to the frame that shows it, ${rtt} ms round trip on both sides, two nodes: p50 ${p50} ms, p99 ${p99} ms, longest ${max} ms (target p50 400)`);

  const texts = makeMarks(marks);
  const { shown, heard } = await plantMarks(host, guest, texts);
  say(`marks that the guest saw and the host heard: ${shown.length} and ${heard.length} of ${marks}`);
  for (const { pid, environment, said } of world.nodes) found += (await marksIn({ pid, home: environment.HUB_HOME, output: said() }, texts)).length;
  // That it finds what is there: at both ends they stand readable.
  const control = (await textsInMemory(process.pid, markBeginning, texts)).length;
  say(`marks in memory, home folders and logs of two nodes: ${found} of ${marks} (in the memory of both ends: ${control})`);
  guest.close();
  await host.end();

  const asks = Array.from({ length: sessions }, () => askAs(token, world.nodes[0].url));
  const idle = await Promise.all(asks.slice(0, 15).map((ask) => startScriptedHost({ ask })));
  const count = () => asks.reduce((sum, { counts }) => sum + (counts.get('/api/remote/inputs') ?? 0) + (counts.get('/api/remote/frames') ?? 0), 0);
  const before = count();
  if (idle.length > 0) await delay(50_000);
  say(`requests of ${idle.length} sessions that nobody watches, in 50 s: ${count() - before} (target ${idle.length * 2})`);
  for (const one of idle) await one.end();
} finally {
  await world.stop();
}
process.exit(found === 0 ? 0 : 1);
