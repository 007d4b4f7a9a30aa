// Tests plugins that keep failing or block startup in the built program: they are detected, quarantined by name, and the server answers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runTurn } from '../../helpers/event-stream.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';
import { root } from '../../helpers/sources.ts';

let home: string;
let folder: string;
let server: ServerProcess | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'put-quarantine-'));
  folder = join(home, 'plugins');
  await mkdir(folder, { mode: 0o700 });
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  await rm(home, { recursive: true, force: true });
});

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text, { mode: 0o600 });

async function start(options: readonly string[] = []): Promise<ServerProcess> {
  server = await startServerProcess({ home, workspace: home, options });
  while ((await server.call('GET', '/api/config')).status === 503);
  return server;
}

async function rowOf(name: string): Promise<any> {
  return (await server?.call('GET', '/api/plugins'))?.body.plugins.find((row: any) => row.name === name);
}

/** Starts the program and kills it once it loads that plugin, or waits for its own end. Returns the exit code or signal. */
async function startInVain(plugin: string, flags: readonly string[] = []): Promise<number | string | null> {
  const child = spawn(process.execPath, [...flags, join(root, 'dist/main.mjs'), 'serve'], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, APP_HOME: home, PORT: '0' },
    stdio: 'ignore',
  });
  const gone = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const marker = join(home, 'plugin-run.json');
  const isAtWork = (): boolean => existsSync(marker) && readFileSync(marker, 'utf8').includes(`"${plugin}"`);
  const looking = setInterval(() => {
    if (flags.length === 0 && isAtWork()) child.kill('SIGKILL');
  }, 20);
  const [code, signal] = await gone;
  clearInterval(looking);
  return code ?? signal;
}

const tool = (name: string, answer: string): string =>
  `registry.add('tool', { name: '${name}', description: 'x', effects: ['read'], input: { type: 'object', properties: {} }, run: () => '${answer}' });`;
const fine = `export function register(registry) { ${tool('is_fine', 'yes')} }`;

async function answerOf(call: string): Promise<unknown> {
  return (await runTurn(server as never, `call ${call} with {}`)).events.find(({ kind }) => kind === 'tool_result')?.['output'];
}

/** Makes the plugin run in the server's process, because it uses `process`. */
const inProcess = 'process.env;';

test.each([
  ['loops forever in register', `${inProcess} export function register() { for (;;); }`, [], 'SIGKILL'],
  ['loops forever during import', `${inProcess} for (;;); export function register() {}`, [], 'SIGKILL'],
  [
    'exhausts the memory',
    inProcess + 'export function register() { const all = []; for (;;) all.push(new Array(100_000).fill(1.5)); }',
    ['--max-old-space-size=60'],
    'SIGABRT',
  ],
  ['crashes the process', 'export function register() { process.abort(); }', ['--no-warnings'], 'SIGABRT'],
])('disables a plugin that %s at the next start', async (_, text, flags, end) => {
  await write('aaa-fine.mjs', fine);
  await write('breaks.mjs', text);
  await write('zzz-fine.mjs', fine.replace('is_fine', 'is_fine_too'));
  expect(await startInVain('breaks', flags)).toBe(end);
  await start();
  expect(readFileSync(join(home, 'plugin-run.json'), 'utf8')).not.toContain('breaks');
  expect(await rowOf('breaks')).toMatchObject({
    state: 'disabled',
    reason: expect.stringMatching(/was being loaded when the program was killed or crashed|ended the whole program with process\.abort\(\)/),
  });
  expect([await answerOf('is_fine'), await answerOf('is_fine_too')]).toEqual(['yes', 'yes']);
  await server?.stop();
  await start();
  expect(await rowOf('breaks')).toMatchObject({ state: 'disabled' });
  await server?.stop();
  await write('breaks.mjs', fine.replace('is_fine', 'is_mended'));
  await start();
  expect(await answerOf('is_mended')).toBe('yes');
});
