// `node test/bench/plane/bus.mjs`: from the publishing of a message to each of 100 subscribers on two nodes, in milliseconds.
// `--subscribers 100`, `--messages 300`, `--perSecond 20`. Target: p50 10 ms, p99 60 ms.
import { setTimeout as delay } from 'node:timers/promises';
import { call, follow, numberOf, percentiles, startNodes } from './nodes.mjs';

const subscribers = numberOf('subscribers', 100);
const messages = numberOf('messages', 300);
const pauseMs = 1_000 / numberOf('perSecond', 20);
const world = await startNodes();
try {
  const token = await world.license('ann@example.org', 'member');
  const begun = new Map();
  const took = [];
  const answered = [];
  const wrong = [];
  let arrived = 0;
  const streams = await Promise.all(
    Array.from({ length: subscribers }, (_, at) => {
      let last = 0;
      return follow(world.nodes[at % 2].url, '/api/team/bus/subscribe?workspace=bench', token, ({ cursor, key }) => {
        const now = performance.now();
        if (cursor !== ++last) wrong.push(cursor);
        arrived++;
        if (Number(key) >= 20) took.push(now - begun.get(key));
      });
    }),
  );
  for (let at = 0; at < messages; at++) {
    begun.set(String(at), performance.now());
    const body = { workspace: 'bench', key: String(at), envelope: { text: 'x'.repeat(500) }, clientId: 'bench', mutationId: at };
    const sentAt = performance.now();
    void call(world.nodes[at % 2].url, 'POST', '/api/team/bus/publish', token, body).then(() => at >= 20 && answered.push(performance.now() - sentAt));
    await delay(pauseMs);
  }
  for (let left = 200; left > 0 && arrived < messages * subscribers; left--) await delay(50);
  for (const stream of streams) stream.close();
  const { p50, p99, max, count } = percentiles(took);
  process.stdout.write(`bus, ${subscribers} subscribers on two nodes: ${count} deliveries, p50 ${p50} ms, p99 ${p99} ms, longest ${max} ms\n`);
  const acknowledged = percentiles(answered);
  process.stdout.write(`acknowledged after p50 ${acknowledged.p50} ms, p99 ${acknowledged.p99} ms\n`);
  process.stdout.write(`arrived ${arrived} of ${messages * subscribers}, out of order ${wrong.length}\n`);
} finally {
  await world.stop();
}
process.exit();
