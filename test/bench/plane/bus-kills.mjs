// `node test/bench/plane/bus-kills.mjs`: nodes and NATS are killed under load; every message that was acknowledged arrives once and in order.
// `--kills 500`; an interrupt ends the killing early and tells what was found. Publishers repeat what had no answer on another node, subscribers come back with the last cursor they have.
import { setTimeout as delay } from 'node:timers/promises';
import { call, follow, numberOf, startNodes } from './nodes.mjs';

const kills = numberOf('kills', 500);
const places = 3;
const world = await startNodes();
let isOver = false;
let isStopped = false;
process.once('SIGINT', () => (isStopped = true));
let failures = 0;
try {
  const token = await world.license('ann@example.org', 'member');
  const any = (at) => world.nodes[at % world.nodes.length].url;
  const acknowledged = Array.from({ length: places }, () => new Map());

  async function publish(place, worker) {
    for (let mutation = 1; !isOver; mutation++) {
      const text = `${worker} ${mutation}`;
      const body = { workspace: `w${place}`, key: 'k', envelope: text, clientId: `client ${worker}`, mutationId: mutation };
      for (let attempt = 0; ; attempt++) {
        const reply = await call(any(worker + attempt), 'POST', '/api/team/bus/publish', token, body).catch(() => undefined);
        if (reply?.status === 200) {
          const known = acknowledged[place].get(reply.body.cursor);
          if (known !== undefined) throw new Error(`cursor ${reply.body.cursor} was given to '${known}' and to '${text}'`);
          acknowledged[place].set(reply.body.cursor, text);
          break;
        }
        if (reply && reply.status < 500) throw new Error(`publishing answered ${reply.status}: ${JSON.stringify(reply.body)}`);
        failures++;
        await delay(20);
      }
      await delay(5);
    }
  }

  const readers = [];
  async function subscribe(place, first) {
    const reader = { place, seen: [], reconnects: 0 };
    readers.push(reader);
    for (let at = first; !reader.isDone; at++) {
      const path = `/api/team/bus/subscribe?workspace=w${place}&since=0`;
      const stream = await follow(any(at), path, token, (data) => reader.seen.push(data), reader.seen.at(-1)?.cursor).catch(() => undefined);
      if (!stream) await delay(20);
      else {
        reader.stream = stream;
        await stream.ended;
        reader.reconnects++;
      }
    }
  }

  const publishers = Array.from({ length: places * 2 }, (_, worker) => publish(worker % places, worker));
  const following = Array.from({ length: places * 2 }, (_, at) => subscribe(at % places, at));
  let done = 0;
  for (let kill = 1; kill <= kills && !isStopped; kill++) {
    await delay(Math.random() * 300);
    if (kill % 5 === 0) {
      await world.nats.kill();
      await world.nats.start();
    } else {
      const node = world.nodes[kill % world.nodes.length];
      await node.kill();
      await node.start();
    }
    done = kill;
    if (kill % 25 === 0) process.stderr.write(`${kill} kills, ${acknowledged.reduce((sum, { size }) => sum + size, 0)} messages acknowledged\n`);
  }
  isOver = true;
  await Promise.all(publishers);
  const heads = acknowledged.map((all) => Math.max(...all.keys()));
  for (let left = 600; left > 0 && readers.some(({ place, seen }) => (seen.at(-1)?.cursor ?? 0) < heads[place]); left--) await delay(50);
  let lost = 0;
  let doubled = 0;
  let disordered = 0;
  for (const { place, seen } of readers) {
    const texts = new Map(seen.map(({ cursor, envelope }) => [cursor, envelope]));
    for (const [cursor, text] of acknowledged[place]) if (texts.get(cursor) !== text) lost++;
    doubled += seen.length - new Set(seen.map(({ envelope }) => envelope)).size;
    disordered += seen.filter(({ cursor }, at) => cursor !== at + 1).length;
  }
  for (const reader of readers) {
    reader.isDone = true;
    reader.stream?.close();
  }
  await Promise.all(following);
  const count = acknowledged.reduce((sum, { size }) => sum + size, 0);
  const reconnects = readers.reduce((sum, reader) => sum + reader.reconnects, 0);
  process.stdout.write(
    `${done} kills: ${count} messages acknowledged (${failures} attempts failed), ${readers.length} subscribers came back ${reconnects} times\n`,
  );
  process.stdout.write(`lost ${lost}, doubled ${doubled}, out of order ${disordered}\n`);
  if (lost + doubled + disordered > 0) process.exitCode = 1;
} finally {
  isOver = true;
  await world.stop();
}
process.exit();
