// The terminal UI in a real PTY against the built server: bytes of a streaming frame, processor time for 1,000 tokens and while nothing
// happens, keys after the start, echo, and memory while the terminal takes nothing; in a new chat, and in one of 5,000 messages.
// `npm run build` first, then `node test/bench/tui.mjs [tokens] [messages of the long chat]`. Others on the machine make the times longer.
import { spawn } from '@lydell/node-pty';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, cpuOf, freePort, memoryOf, now, percentile, startModel, startServer } from './client.mjs';

const [tokens, manyMessages] = [Number(process.argv[2] ?? 1_000), Number(process.argv[3] ?? 5_000)];
const place = mkdtempSync(join(tmpdir(), 'bench-tui-'));
mkdirSync(join(place, 'work'));
const model = await startModel();
const server = await startServer({
  home: place,
  workspace: join(place, 'work'),
  environment: { PORT: String(await freePort()), AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'bench' },
});
await server.ready();

function open(chat) {
  const started = now();
  const which = chat === undefined ? ['--new', '--folder', join(place, 'work')] : ['--chat', chat];
  const child = spawn(process.execPath, ['dist/main.mjs', 'tui', ...which], {
    ...{ cols: 120, rows: 40, env: { PATH: process.env.PATH, HOME: place, APP_HOME: place, AGENT_WEB_TOKEN: server.token, TERM: 'xterm-256color' } },
  });
  const chunks = [];
  const waiting = new Set();
  let text = '';
  child.onData((piece) => {
    chunks.push({ piece, at: now() });
    text += piece;
    for (const _ of piece.matchAll(/\u001b\[6n/g)) child.write('\u001b[1;120R');
    for (const look of [...waiting]) look();
  });
  return {
    child,
    chunks,
    started,
    text: () => text,
    until: (isSo) =>
      new Promise((resolve) => {
        const look = () => {
          if (!isSo()) return;
          waiting.delete(look);
          resolve(now());
        };
        waiting.add(look);
        look();
      }),
  };
}

const rows = [];
const add = (measure, values) => rows.push({ measure, ...values });

const starts = [];
for (let at = 0; at < 5; at++) {
  const { child, started, until, text } = open();
  const first = until(() => text().includes('›'));
  await first;
  child.write('x');
  starts.push((await until(() => /›[^\n]*x/.test(text()))) - started);
  child.kill('SIGKILL');
}
add('start to the first key shown, ms', { p50: percentile(starts, 0.5), worst: Math.max(...starts) });

const tty = open();
await tty.until(() => tty.text().includes('/ commands'));
const echoes = [];
for (let at = 0; at < 100; at++) {
  const before = tty.chunks.length;
  const pressed = now();
  tty.child.write('k');
  echoes.push((await tty.until(() => tty.chunks.length > before)) - pressed);
  await sleep(20);
}
add('echo, nothing else happens, ms', { p50: percentile(echoes, 0.5), p99: percentile(echoes, 0.99) });
tty.child.write('\u0015');
await sleep(500);

// The engine tidies up once, some seconds after the last key.
await sleep(10_000);
const idleBefore = cpuOf(tty.child.pid);
await sleep(10_000);
add('idle, ms of processor time in 10 s', { p50: cpuOf(tty.child.pid) - idleBefore });

async function stream(tty, what) {
  const from = tty.chunks.length;
  const cpuBefore = cpuOf(tty.child.pid);
  tty.child.write(`deltas ${tokens} every 10\r`);
  const since = () =>
    tty.chunks
      .slice(from)
      .map(({ piece }) => piece)
      .join('');
  await tty.until(() => since().includes('Esc stops'));
  await tty.until(() => since().lastIndexOf('/ commands') > since().lastIndexOf('Esc stops'));
  const frames = since().split('\u001b[?2026h').slice(1);
  const sizes = frames.map((frame) => Buffer.byteLength(frame) + 8);
  add(`bytes of a frame, ${frames.length} frames, ${what}`, { p50: percentile(sizes, 0.5), p99: percentile(sizes, 0.99), worst: Math.max(...sizes) });
  add(`ms of processor time for 1,000 tokens, ${what}`, { p50: ((cpuOf(tty.child.pid) - cpuBefore) / tokens) * 1_000 });
}
await stream(tty, 'new chat');
await stream(tty, 'new chat, once more');

tty.child.write(`deltas ${tokens} every 10\r`);
await sleep(1_000);
const memoryBefore = memoryOf(tty.child.pid);
tty.child.pause();
await sleep(10_000);
add('memory after 10 s of a terminal that takes nothing, MB', { before: memoryBefore, p50: memoryOf(tty.child.pid) });
tty.child.resume();

const at = '2026-01-01T00:00:00.000Z';
const said = (count) => ({ kind: count % 2 === 0 ? 'user' : 'assistant', at, text: `Message ${count} of a long conversation.` });
const file = {
  ...{ format: 'agent-chat', version: 1, entries: Array.from({ length: manyMessages }, (_, count) => said(count)) },
  chat: { chatId: 'chat_01BENCH0000000000000000001', title: 'Long', createdAt: at, updatedAt: at, tags: [] },
};
const imported = await call(`${server.url}/api/chats/import`, { method: 'POST', token: server.token, body: file });
const longTty = open(JSON.parse(imported.text).chatId);
await longTty.until(() => longTty.text().includes('/ commands'));
await sleep(1_000);
await stream(longTty, `${manyMessages} messages`);
longTty.child.kill('SIGKILL');
add('clearing sequences', { p50: (tty.text().match(/\u001b\[[23]J/g) ?? []).length });

console.table(
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? Number(value.toFixed(1)) : value]))),
);
tty.child.kill('SIGKILL');
await server.stop();
await model.stop();
rmSync(place, { recursive: true, force: true });
process.exit(0);
