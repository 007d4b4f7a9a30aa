// What guests of a remote session get, and what they cost: `npm run build` first, then `node test/bench/remote.mjs`. Needs Xvfb and Chromium.
// The real window on a screen of its own; a plugin in the home folder moves its page and reads what its browser costs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, connect } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';

const main = join(import.meta.dirname, '../../dist/main.mjs');
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const helper = `
export const manifest = { name: 'helper', requires: ['desktopWindow', 'http'] };
export function register(registry) {
  registry.add('route', {
    key: 'POST /api/bench', summary: 'Runs something in the page.', tag: 'bench',
    schema: { body: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] }, reply: {} },
    async handle({ body }) {
      const window = registry.services.desktopWindow.current();
      if (!window) return { value: null };
      const session = await window.session();
      const { result } = await session.send('Runtime.evaluate', { expression: body.expression, awaitPromise: true, returnByValue: true });
      await session.detach();
      return { value: result.value ?? null };
    },
  });
}
`;

const place = await mkdtemp(join(tmpdir(), 'remote-bench-'));
const home = join(place, '.app');
const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
const [display] = await once(screen.stdio[3].setEncoding('utf8'), 'data');
await mkdir(join(home, 'plugins'), { recursive: true });
await writeFile(join(home, 'plugins', 'helper.mjs'), helper, { mode: 0o600 });
const env = {
  ...{ PATH: process.env.PATH, HOME: place, APP_HOME: home, AGENT_WORKSPACE_ROOT: place, DISPLAY: `:${display.trim()}` },
  ...{ AGENT_PERSONA_BOOTSTRAP: '0', APP_REMOTE_BIND_HOST: '127.0.0.1' },
};
const app = spawn(process.execPath, [main, 'desktop'], { env, stdio: ['ignore', 'inherit', 'inherit'] });
try {
  await measure();
} finally {
  app.kill('SIGTERM');
  await once(app, 'exit').catch(() => undefined);
  screen.kill('SIGKILL');
  await rm(place, { recursive: true, force: true, maxRetries: 5 });
}

async function measure() {
  const server = await until(async () => JSON.parse(await readFile(join(home, 'server.json'), 'utf8')));
  const url = `http://127.0.0.1:${server.port}`;
  const token = await until(async () => (await readFile(join(home, 'web_token'), 'utf8')).trim());
  const call = async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    return (await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })).json();
  };
  const run = async (expression) => (await call('POST', '/api/bench', { expression })).value;
  await until(async () => ((await run('document.readyState')) === 'complete' && (await call('GET', '/api/remote')).available) || undefined);
  await sleep(3_000);
  const animate = () =>
    run(`(() => { const box = document.body.appendChild(document.createElement('div')); box.id = 'bench';
      box.style.cssText = 'position:fixed;left:0;top:0;width:300px;height:60px;background:#fff;color:#000;font:20px monospace;z-index:99999';
      let count = 0; const draw = () => { if (!box.isConnected) return; box.textContent = 'frame ' + count++; requestAnimationFrame(draw); }; draw(); })()`);
  const stand = () => run(`document.querySelector('#bench')?.remove()`);
  const cost = async (ms) => {
    const before = await cpu(app.pid);
    await sleep(ms);
    return ((await cpu(app.pid)) - before) / ms;
  };

  line('nobody watches, still page', `${percent(await cost(3_000))} of a core`, '');
  await animate();
  const alone = await cost(4_000);
  line('nobody watches, moving page', `${percent(alone)} of a core`, '');
  await stand();

  const code = await call('POST', '/api/remote', { role: 'control', transport: 'lan' });
  const door = new URL(code.urls[0]).origin;
  const begun = performance.now();
  const guest = await join_(door, code.code);
  await until(() => guest.frames[0]);
  line('join to picture', `${(performance.now() - begun).toFixed(0)} ms`, '<= 300 ms');
  await call('POST', `/api/remote/guests/${guest.id()}`, { allow: true });
  await sleep(2_000);
  guest.frames.length = 0;
  line('one guest, still page', `${percent(await cost(5_000))} of a core, ${guest.frames.length} frames in 5 s`, '');
  await animate();
  guest.frames.length = 0;
  const watched = await cost(6_000);
  line('one guest, moving page', `${percent(watched)} of a core, ${percent(watched - alone)} more than unwatched`, '');
  const ages = guest.frames.map(({ age }) => age);
  line('capture to arrival', `p50 ${at(ages, 0.5)} p95 ${at(ages, 0.95)} ms`, 'p50 <= 8, p95 <= 15 ms');
  const { header, bytes } = guest.frames.at(-1);
  line(
    'frames',
    `${(guest.frames.length / 6).toFixed(1)} a second, ${header}, p50 ${at(
      guest.frames.map((one) => one.bytes),
      0.5,
    )} bytes (last ${bytes})`,
    '<= 60 kB',
  );

  const four = await Promise.all([1, 2, 3].map(() => join_(door, code.code)));
  const all = [guest, ...four];
  await sleep(500);
  const free = await rates(all, 5_000);
  const slow = await join_(await slowLine(door, 125), code.code, door);
  await sleep(4_000);
  slow.frames.length = 0;
  const beside = await rates(all, 8_000);
  line('four guests, alone', `${free.map((one) => one.toFixed(1)).join(' ')} frames a second`, '');
  line('beside one at 1 Mbit/s', `${beside.map((one) => one.toFixed(1)).join(' ')} frames a second`, '>= 95 %');
  line(
    'the slow one',
    `${(slow.frames.length / 8).toFixed(1)} frames a second, age p50 ${at(
      slow.frames.map(({ age }) => age),
      0.5,
    )} p95 ${at(
      slow.frames.map(({ age }) => age),
      0.95,
    )} ms`,
    'one transfer',
  );
  for (const one of [slow, ...four]) one.close();
  const ends = [];
  for (let count = 0; count < 20; count++) {
    const given = await call('POST', '/api/remote', { role: 'view', transport: 'lan' });
    const leaver = await join_(door, given.code);
    await until(() => leaver.frames[0]);
    const asked = performance.now();
    await Promise.all([leaver.closed, call('DELETE', `/api/remote/${given.code}`)]);
    ends.push(performance.now() - asked);
    leaver.close();
  }
  line('revoke to the end of the stream', `p50 ${at(ends, 0.5)} p95 ${at(ends, 0.95)} ms, ${ends.length} times`, '<= 100 ms');
  await stand();
  await sleep(12_000);

  await run(`document.querySelector('textarea, [role=textbox]').focus()`);
  guest.frames.length = 0;
  const spent = await cpu(app.pid);
  const typedAt = performance.now();
  const takes = [];
  for (let count = 0; count < 40; count++) {
    await sleep(150 + (count % 7) * 20);
    const sent = performance.now();
    const n = guest.input({ type: 'text', text: 'x' });
    const shown = await until(() => guest.frames.find((one) => one.acked >= n)).catch(() => undefined);
    if (shown) takes.push(shown.at - sent);
  }
  line('one guest who types', `${percent(((await cpu(app.pid)) - spent) / (performance.now() - typedAt))} of a core`, '<= 25 %');
  line(
    '… capture to arrival',
    `p50 ${at(
      guest.frames.map(({ age }) => age),
      0.5,
    )} p95 ${at(
      guest.frames.map(({ age }) => age),
      0.95,
    )} ms`,
    'p50 <= 8, p95 <= 15 ms',
  );
  line('input to the frame that shows it', `p50 ${at(takes, 0.5)} p95 ${at(takes, 0.95)} ms, ${takes.length} of 40`, 'p50 <= 50, p95 <= 90 ms');
  guest.close();
  await sleep(1_000);
  line('the last one has left', `${percent(await cost(3_000))} of a core`, '');
  line(
    'load average',
    loadavg()
      .map((one) => one.toFixed(1))
      .join(', '),
    '',
  );
}

/** @param door to join at, where the stream goes another way */
async function join_(origin, code, door = origin) {
  const reply = await fetch(`${door}/remote/join`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code }) });
  const { token } = await reply.json();
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/remote/ui/stream?join=${token}`, { headers: { host: new URL(door).host } });
  const frames = [];
  let id;
  let n = 0;
  let geometry = 0;
  socket.on('error', () => undefined);
  socket.on('message', (content, isBinary) => {
    if (!isBinary) {
      const message = JSON.parse(String(content));
      if (message.type === 'welcome') id = message.guestId;
      return;
    }
    const seq = content.readUInt32LE(4);
    socket.send(JSON.stringify({ v: 1, type: 'ack', seq }));
    geometry = content.readUInt32LE(24);
    const size = `${content.readUInt16LE(20)} x ${content.readUInt16LE(22)}`;
    frames.push({ at: performance.now(), age: Date.now() - content.readDoubleLE(8), acked: content.readUInt32LE(28), bytes: content.length, header: size });
  });
  const ping = setInterval(() => socket.readyState === 1 && socket.send(JSON.stringify({ v: 1, type: 'ping', at: 0 })), 2_000);
  return {
    frames,
    closed: once(socket, 'close'),
    id: () => id,
    input(input) {
      socket.send(JSON.stringify({ v: 1, n: ++n, seq: 0, geometry, ...input }));
      return n;
    },
    close() {
      clearInterval(ping);
      socket.close();
    },
  };
}

/** A way to `door` that carries so many bytes in a millisecond to the guest. */
async function slowLine(door, bytesPerMs) {
  const server = createServer((near) => {
    const far = connect(Number(new URL(door).port), '127.0.0.1');
    near.pipe(far);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    let free = 0;
    far.on('data', (chunk) => {
      far.pause();
      free = Math.max(free, performance.now()) + chunk.length / bytesPerMs;
      setTimeout(() => {
        near.write(chunk);
        far.resume();
      }, free - performance.now());
    });
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${server.address().port}`;
}

async function rates(guests, ms) {
  const before = guests.map(({ frames }) => frames.length);
  await sleep(ms);
  return guests.map(({ frames }, at) => ((frames.length - before[at]) * 1_000) / ms);
}

/** Milliseconds of the processor that a process and all below it have used. */
async function cpu(root) {
  const { readdir } = await import('node:fs/promises');
  const rows = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
        const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
        return { pid: Number(pid), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
      }),
  );
  const family = new Set([root]);
  for (let grown = -1; grown !== family.size;) {
    grown = family.size;
    for (const { pid, parent } of rows) if (family.has(parent)) family.add(pid);
  }
  return rows.filter(({ pid }) => family.has(pid)).reduce((sum, { ticks }) => sum + (ticks || 0) * 10, 0);
}

async function until(look, ms = 20_000) {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(2)) {
    const found = await Promise.resolve()
      .then(look)
      .catch(() => undefined);
    if (found !== undefined && found !== null && found !== '' && found !== false) return found;
  }
  throw new Error(`nothing came of ${look}`);
}

function at(values, part) {
  const sorted = [...values].sort((left, right) => left - right);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN).toFixed(0);
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}

function line(what, found, goal) {
  process.stdout.write(`${what.padEnd(34)} ${found}${goal ? `   (goal ${goal})` : ''}\n`);
}
