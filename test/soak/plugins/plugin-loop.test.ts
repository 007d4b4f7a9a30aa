// What plugins in the server's process do after their calls have returned is charged to them by name, in the built program; one that it ends in is found.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

let home: string;
let folder: string;
let note: string;
let server: ServerProcess | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugin-loop-'));
  folder = join(home, 'plugins');
  note = join(home, 'plugin_at_fault.json');
  await mkdir(folder, { mode: 0o700 });
});
afterEach(async () => {
  await server?.stop('SIGKILL');
  server = undefined;
  await rm(home, { recursive: true, force: true });
});

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text, { mode: 0o600 });
const route = (name: string, body: string): string =>
  `registry.add('route', { key: 'GET /api/${name}', summary: 'x', tag: 'x', schema: {}, handle: async () => { ${body} return {}; } });`;
const plugin = (name: string, body: string): string => `import { existsSync } from 'node:fs';
export const manifest = { name: '${name}', isolation: 'process' };
const busy = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
const isNoted = () => existsSync(${JSON.stringify(note)});
export function register(registry) { ${body} }`;

async function start(environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  server = await startServerProcess({ home, workspace: home, environment });
  while ((await server.call('GET', '/api/config')).status === 503);
  return server;
}

const usageOf = async (name: string): Promise<any> => (await server?.call('GET', '/api/plugins/usage'))?.body.plugins.find((row: any) => row.name === name);
const rowOf = async (name: string): Promise<any> => (await server?.call('GET', '/api/plugins'))?.body.plugins.find((row: any) => row.name === name);

async function until<T>(read: () => T | Promise<T>, fits: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (fits(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('time after waits, in timers, and by what a stream of its own brings is charged to the plugin, and not to one beside it', async () => {
  await write(
    'later.mjs',
    plugin(
      'later',
      `
      ${route('waits', 'for (let at = 0; at < 10; at++) { await new Promise((resolve) => setTimeout(resolve, 1)); busy(10); }')}
      ${route('timer', 'setTimeout(() => busy(100), 5);')}
      ${route('streams', `const { Readable } = await import('node:stream'); Readable.from((async function* () { await new Promise((resolve) => setTimeout(resolve, 5)); yield 'x'; })()).on('data', () => busy(100));`)}
    `,
    ),
  );
  await write('beside.mjs', plugin('beside', route('beside', 'await null;')));
  const { call } = await start();
  const { activeMs: before } = await usageOf('beside');
  let least = (await usageOf('later')).activeMs;
  for (const name of ['waits', 'timer', 'streams']) {
    expect((await call('GET', `/api/${name}`)).status).toBe(200);
    least += 100;
    await until(
      () => usageOf('later'),
      ({ activeMs }) => activeMs >= least,
    );
  }
  expect(await usageOf('beside')).toMatchObject({ activeMs: before, faults: { total: 0 } });
});

test.each([
  ['computes in a timer', 'setTimeout(() => { while (!isNoted()); }, 1);', /at stalls\.mjs:\d+, in a timer or after a wait/],
  ['waits for itself without an end', 'setTimeout(async () => { while (!isNoted()) await null; }, 1);', /in a timer or after a wait/],
  [
    'blocks in a call of the system',
    'setTimeout(() => { const one = new Int32Array(new SharedArrayBuffer(4)); while (!isNoted()) Atomics.wait(one, 0, 0, 100); }, 1);',
    /in a timer or after a wait/,
  ],
])('one that %s keeps the loop from turning, and is charged for it by name', async (_, body, what) => {
  await write('stalls.mjs', plugin('stalls', route('stall', body)));
  await write('fine.mjs', plugin('fine', route('fine', '')));
  const { call } = await start();
  await call('GET', '/api/stall');
  const row = await until(
    () => usageOf('stalls'),
    ({ faults }) => faults.stalls > 0,
  );
  expect(row.lastFault).toMatchObject({ kind: 'stall', message: expect.stringMatching(what) });
  expect(await usageOf('fine')).toMatchObject({ faults: { total: 0 } });
  // Nobody is to blame any more.
  await until(
    () => existsSync(note),
    (isThere) => !isThere,
  );
  expect(await server?.stop()).toBe(0);
});

test.each([
  [
    'in which it stands still until somebody kills it',
    'setTimeout(() => { for (;;); }, 1);',
    {},
    'SIGKILL',
    /had kept the program from doing anything else for \d+ s when it was killed/,
  ],
  [
    'whose memory it takes',
    'const all = []; setInterval(() => { for (let at = 0; at < 4; at++) all.push(new Array(200_000).fill(at + 0.5)); }, 5);',
    { NODE_OPTIONS: '--max-old-space-size=300' },
    undefined,
    /ran while the program's memory grew from \d+ to \d+ MB, before the program was killed or broke down/,
  ],
] as const)('a program %s starts without the plugin that did it', async (_, body, environment, signal, reason) => {
  await write('breaks.mjs', plugin('breaks', route('break', body)));
  await write('fine.mjs', plugin('fine', route('fine', '')));
  const { call, stop } = await start(environment);
  await call('GET', '/api/break');
  await until(
    () => existsSync(note) && readFileSync(note, 'utf8'),
    (text) => text !== false && text.includes('"breaks"'),
  );
  // Either it ends by itself, or somebody ends it.
  expect(await stop(signal ?? 'SIGCONT')).toBe(signal ?? 'SIGABRT');
  await start();
  expect(await rowOf('breaks')).toMatchObject({ state: 'disabled', reason: expect.stringMatching(reason) });
  expect(await rowOf('fine')).toMatchObject({ state: 'active' });
  expect(await usageOf('breaks')).toMatchObject({ faults: { crashes: 1 }, lastFault: { kind: 'crash' } });
});
