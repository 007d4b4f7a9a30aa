// The desktop protocol beside HTTP, both against the built server in one run: round trips of commands, delay of 2,000 deltas, and what idle
// clients cost. `npm run build` first, then `node test/bench/desktop-protocol.mjs [rounds]`.
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { freePort, median, now, percentile, readEvents, startModel, startServer } from './client.mjs';

const rounds = Number(process.argv[2] ?? 3_000);
const place = mkdtempSync(join(tmpdir(), 'bench-desktop-'));
mkdirSync(join(place, 'work'));
const heldFile = join(place, 'held.txt');
const model = await startModel();
const server = await startServer({
  home: place,
  workspace: join(place, 'work'),
  environment: { PORT: String(await freePort()), AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'bench', BENCH_HELD_FILE: heldFile },
  flags: ['--expose-gc', '--import', join(import.meta.dirname, 'held-memory.mjs')],
});
await server.ready();
const rows = [];
const rounded = (value) => Number(value.toFixed(2));
const add = (measure, values, other) =>
  rows.push({ measure, ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, rounded(value)])), ...other });

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
/** Over one connection that stays open. */
function ask(path, { method = 'GET', body } = {}) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${server.token}`,
      ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
    };
    const sent = request(server.url + path, { method, agent, headers }, (response) => {
      let received = '';
      response.setEncoding('utf8').on('data', (piece) => (received += piece));
      response.on('end', () => resolve(JSON.parse(received)));
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

async function openSocket(query = '') {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/ws?token=${server.token}${query}`, { perMessageDeflate: false });
  const pending = new Map();
  let ids = 0;
  const opened = {
    socket,
    onEvent: () => undefined,
    ask: (command, data) =>
      new Promise((resolve) => {
        const id = ++ids;
        pending.set(id, resolve);
        socket.send(JSON.stringify({ v: 1, id, command, ...(data ? { data } : {}) }));
      }),
  };
  socket.on('message', (content) => {
    const frame = JSON.parse(String(content));
    if ('event' in frame) return void opened.onEvent(frame);
    pending.get(frame.re)?.(frame);
    pending.delete(frame.re);
  });
  await once(socket, 'open');
  return opened;
}

/** In turn, so that both see the same machine. */
async function compare(name, http, wire) {
  const times = { http: [], wire: [] };
  for (let round = -200; round < rounds; round++) {
    for (const [way, work] of round % 2 === 0
      ? [
          ['http', http],
          ['wire', wire],
        ]
      : [
          ['wire', wire],
          ['http', http],
        ]) {
      const started = performance.now();
      await work();
      if (round >= 0) times[way].push(performance.now() - started);
    }
  }
  for (const way of ['http', 'wire'])
    add(`${name}, ${way}, ms`, { p50: median(times[way]), p95: percentile(times[way], 0.95), p99: percentile(times[way], 0.99) });
}

const { chatId } = await ask('/api/chats', { method: 'POST', body: { workspaceMode: 'scratch' } });
const client = await openSocket(`&chatId=${chatId}`);
await compare(
  'GET /api/status',
  () => ask('/api/status'),
  () => client.ask('status'),
);
await compare(
  'GET /api/settings (30 kB)',
  () => ask('/api/settings'),
  () => client.ask('settings'),
);
await compare(
  'PUT /api/settings',
  () => ask('/api/settings', { method: 'PUT', body: { harness: { env: {} } } }),
  () => client.ask('change_settings', { harness: { env: {} } }),
);

/** Delay of each delta: the model writes into it when it was sent. */
const delayOf = (delta, delays) => {
  for (const stamp of delta.split(' ')) if (stamp) delays.push(now() - Number(stamp));
};
async function deltas(text) {
  const delays = { http: [], wire: [] };
  const ended =
    Promise.withResolvers?.() ??
    (() => {
      let resolve;
      const promise = new Promise((done) => (resolve = done));
      return { promise, resolve };
    })();
  client.onEvent = ({ event, data }) => {
    if (event === 'text' && data.channel === 'user') delayOf(data.delta, delays.wire);
    if (event === 'turn_end') ended.resolve();
  };
  await readEvents(`${server.url}/api/stream?chatId=${chatId}`, {
    token: server.token,
    onOpen: () => void client.ask('send_message', { text }),
    onEvent(event) {
      if (event.kind === 'text' && event.channel === 'user') delayOf(event.delta, delays.http);
      return event.kind === 'turn_end';
    },
  });
  await ended.promise;
  return delays;
}
for (const text of ['deltas 2000 every 1']) {
  const delays = await deltas(text);
  for (const way of ['http', 'wire'])
    add(
      `2,000 deltas, ${way}, ms`,
      { p50: median(delays[way]), p95: percentile(delays[way], 0.95), p99: percentile(delays[way], 0.99) },
      { count: delays[way].length },
    );
}

client.socket.terminate();
await sleep(3_000);
const cpu = server.cpu();
await sleep(10_000);
const alone = server.cpu() - cpu;

/** Resident memory says when the collector ran, not what a client holds; what a heap holds once it has run does. */
async function heldKb() {
  rmSync(heldFile, { force: true });
  process.kill(server.pid, 'SIGUSR2');
  while (!existsSync(heldFile)) await sleep(20);
  return Number(readFileSync(heldFile, 'utf8')) / 1024;
}
const openMany = (count) => Promise.all(Array.from({ length: count }, () => openSocket()));
// The first ones load code and make tables that those after them share.
const first = await openMany(20);
await sleep(1_000);
const before = await heldKb();
const idle = await openMany(100);
await sleep(3_000);
const withClients = server.cpu();
await sleep(10_000);
const busy = server.cpu() - withClients;
add('one idle client: memory held, kB', { p50: ((await heldKb()) - before) / idle.length });
add('100 idle clients: processor time in 10 s, ms; without them', { p50: busy, p95: alone });
for (const { socket } of [...first, ...idle]) socket.terminate();
console.table(rows);
await server.stop();
model.stop();
rmSync(place, { recursive: true, force: true });
