// A program that ends some time after its start, where nothing names the plugin that did it: found by halves, over the next starts, in the built program.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';
import { root } from '../../helpers/sources.ts';

let home: string;
let folder: string;
let marker: string;
let server: ServerProcess | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugin-crash-'));
  folder = join(home, 'plugins');
  marker = join(home, 'running.json');
  await mkdir(folder, { mode: 0o700 });
});
afterEach(async () => {
  await server?.stop('SIGKILL');
  server = undefined;
  await rm(home, { recursive: true, force: true });
});

/** Something of it always runs: an end of it is never one of a program at rest. */
const busy = (name: string): string =>
  `export const manifest = { name: '${name}', isolation: 'process' };\nexport function register() { setInterval(() => undefined, 50).unref(); }`;
const write = (name: string, text = busy(name)): Promise<void> => writeFile(join(folder, `${name}.mjs`), text, { mode: 0o600 });

/** Once it works, in a way that tells nobody who did it. */
const kills = `import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
export const manifest = { name: 'a-kills', isolation: 'process' };
export function register() {
  setInterval(() => { if (existsSync(${'MARKER'})) execFileSync('kill', ['-9', String(process.pid)]); }, 20);
}`;

async function start(options: readonly string[] = []): Promise<ServerProcess> {
  server = await startServerProcess({ home, workspace: home, options });
  return server;
}

/** Until it ends by itself. Answers what it said. */
async function startInVain(): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'dist/main.mjs'), 'serve'], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, APP_HOME: home, PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  return said;
}

async function ready(): Promise<void> {
  while ((await server?.call('GET', '/api/config'))?.status === 503);
}

async function until(fits: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await fits())) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function startAndKill(): Promise<void> {
  await start();
  await until(() => existsSync(marker));
  await server?.stop('SIGKILL');
}

async function states(): Promise<Record<string, string>> {
  const { plugins } = (await server?.call('GET', '/api/plugins'))?.body;
  return Object.fromEntries(plugins.filter(({ origin }: any) => origin === 'user').map(({ name, state }: any) => [name, state]));
}

const reasonOf = async (name: string): Promise<string> =>
  (await server?.call('GET', '/api/plugins'))?.body.plugins.find((row: any) => row.name === name).reason;

test('the one that ends it is found over a few starts, each of which says what it does; the others are on again', { timeout: 120_000 }, async () => {
  await write('a-kills', kills.replace('MARKER', JSON.stringify(marker)));
  for (const name of ['b', 'c', 'd']) await write(`${name}-fine`);
  // Three in a row, then a half of four, then a half of two.
  const outputs: string[] = [];
  for (let times = 0; times < 5; times++) {
    outputs.push(await startInVain());
  }
  expect(outputs.slice(0, 3).join('')).not.toContain('To find out');
  expect(outputs[3]).toContain('soon after its start 3 times in a row. To find out whether a plugin is at fault, this start is without c-fine, d-fine.');
  expect(outputs[4]).toContain('soon after its start again. To find out whether a plugin is at fault, this start is without b-fine.');
  await start();
  await ready();
  expect(await states()).toEqual({ 'a-kills': 'disabled', 'b-fine': 'active', 'c-fine': 'active', 'd-fine': 'active' });
  expect(await reasonOf('a-kills')).toContain('put aside, because it was at work each time the program broke down or was killed soon after its start');
  expect(await server?.stop()).toBe(0);
  expect(existsSync(marker)).toBe(false);
  // A person may try it again, and what was found once is found at once.
  await write('a-kills');
  await start();
  await ready();
  expect(await states()).toMatchObject({ 'a-kills': 'active' });
});

test('who is killed while nothing of a plugin runs loses none by it: five times in a row', { timeout: 120_000 }, async () => {
  await write('a-fine', "export const manifest = { name: 'a-fine', isolation: 'process' };\nexport function register() {}");
  for (let times = 0; times < 5; times++) {
    await start();
    await until(async () => existsSync(marker) && (await readFile(marker, 'utf8')).includes('"isQuiet":true'));
    await server?.stop('SIGKILL');
  }
  await start();
  await ready();
  expect(await states()).toEqual({ 'a-fine': 'active' });
});

test('who is not guilty comes back: the program is killed without it, too', { timeout: 120_000 }, async () => {
  for (const name of ['a', 'b']) await write(`${name}-fine`);
  for (let times = 0; times < 4; times++) await startAndKill();
  await start();
  await ready();
  expect(await states()).toEqual({ 'a-fine': 'disabled', 'b-fine': 'active' });
  await until(() => existsSync(marker));
  await server?.stop('SIGKILL');
  await start();
  await ready();
  expect(await states()).toEqual({ 'a-fine': 'active', 'b-fine': 'active' });
  expect(server?.output()).toContain("without 'a-fine' as well, so that plugin is on again");
  await server?.stop('SIGKILL');
  for (let times = 0; times < 3; times++) await startAndKill();
  await start();
  await ready();
  expect(await states()).toEqual({ 'a-fine': 'active', 'b-fine': 'active' });
});

test('and so does the only one that there is', { timeout: 120_000 }, async () => {
  await write('a-fine');
  for (let times = 0; times < 3; times++) await startAndKill();
  await start();
  await ready();
  expect(await states()).toEqual({ 'a-fine': 'disabled' });
  await until(() => existsSync(marker));
  await server?.stop('SIGKILL');
  await start();
  await ready();
  expect(await states()).toEqual({ 'a-fine': 'active' });
});

test(
  'a person ends the search: switched on, a plugin is no suspect; ended in order, nothing counts; a safe start is without any',
  { timeout: 120_000 },
  async () => {
    for (const name of ['a', 'b', 'c', 'd']) await write(`${name}-fine`);
    for (let times = 0; times < 2; times++) await startAndKill();
    await start();
    await until(() => existsSync(marker));
    expect(await server?.stop()).toBe(0);
    for (let times = 0; times < 3; times++) await startAndKill();
    await start(['--safe']);
    await ready();
    expect(new Set(Object.values(await states()))).toEqual(new Set(['disabled']));
    await server?.stop();
    await start();
    await ready();
    expect(await states()).toEqual({ 'a-fine': 'active', 'b-fine': 'active', 'c-fine': 'disabled', 'd-fine': 'disabled' });
    expect(await reasonOf('c-fine')).toContain('off for now, because the program broke down or was killed soon after its start');
    expect((await server?.call('PUT', '/api/plugins/c-fine', { disabled: false }))?.body).toMatchObject({ plugin: { state: 'active' } });
    expect(await states()).toMatchObject({ 'c-fine': 'active', 'd-fine': 'disabled' });
    expect((await server?.call('POST', '/api/plugins/reload', {}))?.status).toBe(200);
    expect(new Set(Object.values(await states()))).toEqual(new Set(['active']));
  },
);

test.each([
  ['process.abort()', 'process.abort()'],
  ['a signal', "process.kill(process.pid, 'SIGKILL')"],
  ['process.reallyExit()', 'process.reallyExit(3)'],
])('one that ends the program by %s is known by its own name, at once', async (what, body) => {
  await write(
    'quits',
    `export const manifest = { name: 'quits', isolation: 'process' };
    export function register(registry) {
      registry.add('route', { key: 'GET /api/quits', summary: 'x', tag: 'x', schema: {}, handle: async () => { setTimeout(() => { ${body}; }, 1); return {}; } });
    }`,
  );
  await start();
  await ready();
  await server?.call('GET', '/api/quits');
  await server?.stop('SIGCONT');
  await start();
  await ready();
  expect(await states()).toEqual({ quits: 'disabled' });
  expect(await reasonOf('quits')).toContain(`ended the whole program with ${what.startsWith('process') ? what : 'a signal'}`);
});
