// Tests the built example distributions as processes: loaded modules and product names.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const listed = ['checkpoints', 'cli', 'files', 'model-chat-completions', 'model-demo'];

interface Running {
  readonly url: string;
  readonly folder: string;
  /** URLs of all loaded modules. */
  imports(): Promise<string[]>;
  stop(): Promise<number | null>;
}

/** Starts `serve` with a fresh HOME on a free port. */
async function start(distribution: string, environment: Record<string, string> = {}): Promise<Running> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'distribution-')));
  const importLog = join(folder, 'imports.log');
  const hook = pathToFileURL(join(root, 'test/fixtures/log-imports/register.mjs')).href;
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['--import', hook, join(root, 'examples/distributions', distribution, 'main.mjs'), 'serve'], {
    cwd: folder,
    env: { PATH, HOME: folder, PORT: '0', IMPORT_LOG: importLog, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await readUrl(child);
  return {
    url,
    folder,
    imports: async () => (await readFile(importLog, 'utf8')).trim().split('\n'),
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
      return child.exitCode;
    },
  };
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const take = (piece: Buffer): void => {
      said += piece.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (found) resolve(found[0]);
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('error', reject).once('exit', (code) => reject(new Error(`It ended with ${String(code)}:\n${said}`)));
  });
}

async function readJson(url: string, headers: Record<string, string> = {}): Promise<any> {
  const reply = await fetch(url, { headers });
  return { status: reply.status, ...((await reply.json()) as object) };
}

/** Control plane plugins are not part of the stock list. */
async function built(folder: 'builtins' | 'plugins'): Promise<string[]> {
  return (await readdir(join(root, 'dist', folder)))
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => basename(file, '.mjs'))
    .filter((name) => !name.startsWith('plane-'))
    .sort();
}

describe('minimal', () => {
  let running: Running;
  let token = '';
  beforeAll(async () => {
    running = await start('minimal');
    token = (await readJson(`${running.url}/api/config`)).webAuthToken;
  });
  afterAll(async () => {
    expect(await running.stop()).toBe(0);
  });

  test('has exactly the listed built-ins, all active', async () => {
    const { plugins } = await readJson(`${running.url}/api/plugins`, { authorization: `Bearer ${token}` });
    const builtins = plugins.filter((plugin: any) => plugin.origin === 'builtin');
    expect(builtins.map((plugin: any) => plugin.name).sort()).toEqual(listed);
    expect(plugins.filter((plugin: any) => plugin.state !== 'active')).toEqual([]);
  });

  test('imports no other built-in', async () => {
    const loaded = (await running.imports()).filter((url) => basename(dirname(url)) === 'builtins').map((url) => basename(url, '.mjs'));
    expect(loaded.sort()).toEqual(listed);
    expect((await built('builtins')).length).toBeGreaterThan(listed.length);
  });

  test('serves no page, but runs turns', async () => {
    expect((await fetch(running.url)).status).toBe(404);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const reply = await fetch(`${running.url}/api/message`, { method: 'POST', headers, body: JSON.stringify({ text: 'write hello.txt with "hi"' }) });
    expect(reply.status).toBe(202);
    await expect.poll(() => existsSync(join(running.folder, 'hello.txt'))).toBe(true);
  });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function runToEnd(argv: readonly string[], folder: string, environment: Record<string, string> = {}): Promise<Ended> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, argv, { cwd: folder, env: { PATH, HOME: folder, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

describe('headless', () => {
  const main = join(root, 'examples/distributions/headless/main.mjs');
  let folder = '';
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'headless-')));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('answers a turn in its own process without loading the server, the stream or the page', async () => {
    const importLog = join(folder, 'imports.log');
    const hook = pathToFileURL(join(root, 'test/fixtures/log-imports/register.mjs')).href;
    const ended = await runToEnd(['--import', hook, main, 'ask', 'write hello.txt with "hi"'], folder, { IMPORT_LOG: importLog });
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toMatch(/hello\.txt/);
    expect((await readFile(join(folder, 'hello.txt'), 'utf8')).trim()).toBe('hi');
    const loaded = (await readFile(importLog, 'utf8')).trim().split('\n');
    const plugins = loaded.filter((url) => basename(dirname(url)) === 'plugins' && url.includes('/dist/')).map((url) => basename(url, '.mjs'));
    expect(plugins.sort()).toEqual(['agent', 'chats', 'commands', 'exact-files', 'models', 'patterns', 'policy', 'storage', 'tools']);
    expect(loaded.some((url) => url.endsWith('node:http'))).toBe(false);
  });

  test('reuses the home with a new chat on another call', async () => {
    expect(await runToEnd([main, 'ask', 'read hello.txt'], folder)).toMatchObject({ code: 0, err: '', out: expect.stringContaining('hi') });
    expect((await readdir(join(folder, '.app/chats'))).filter((name) => name.startsWith('chat_'))).toHaveLength(2);
  });
});

test('writes workspace files but nothing to the home folder in the ephemeral distribution', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'ephemeral-')));
  const ended = await runToEnd([join(root, 'examples/distributions/ephemeral/main.mjs'), 'ask', 'list the files'], folder);
  expect(ended).toMatchObject({ code: 0, err: '', out: expect.stringContaining('The files') });
  expect((await readdir(join(folder, '.app'))).filter((name) => name !== 'cache')).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

describe('invalid distribution', () => {
  const compose = (distribution: object): string[] => {
    const program = `import { runDistribution, stockPlatform } from 'agent-harness';
      const wanted = ${JSON.stringify(distribution)};
      const platform = wanted.platform ?? stockPlatform.filter((name) => name !== wanted.without);
      process.exitCode = await runDistribution({ name: 'app', title: 'App', ...wanted, platform }, ['--version']);`;
    return ['--input-type=module', '-e', program];
  };

  test('reports a missing service with an error code', async () => {
    const home = await mkdtemp(join(tmpdir(), 'lacking-'));
    const without = (name: string): Promise<Ended> => runToEnd(compose({ without: name, builtins: [] }), root, { APP_HOME: home });
    expect(await without('policy')).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/'agent'.*needs service 'gate'.*KRN_ERR_PLUGIN_PLATFORM/) });
    expect(await without('http')).toMatchObject({ code: 1, err: expect.stringMatching(/'ui'.*needs service 'http'.*KRN_ERR_PLUGIN_PLATFORM/) });
    expect(await without('commands')).toMatchObject({ code: 1, err: expect.stringMatching(/'commands'.*KRN_ERR_SERVICE_MISSING/) });
    await rm(home, { recursive: true, force: true });
  });

  test('reports an unknown plugin and lists the available ones', async () => {
    const home = await mkdtemp(join(tmpdir(), 'unknown-'));
    const [platform, builtin] = await Promise.all(
      [{ platform: ['storage', 'horage'] }, { builtins: ['clii'] }].map((one) => runToEnd(compose(one), root, { APP_HOME: home })),
    );
    expect(platform).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Plugin 'horage' does not exist.*Available plugins: agent, .*storage.*KRN_ERR_PLUGIN_MISSING/),
    });
    expect(builtin).toMatchObject({ code: 1, err: expect.stringMatching(/Plugin 'clii' does not exist.*cli, .*KRN_ERR_PLUGIN_MISSING/) });
    await rm(home, { recursive: true, force: true });
  });
});

describe('renamed', () => {
  let running: Running;
  let html = '';
  beforeAll(async () => {
    running = await start('renamed');
    html = await (await fetch(running.url)).text();
  });
  afterAll(async () => {
    expect(await running.stop()).toBe(0);
  });

  test('uses a home folder of its own name', async () => {
    expect((await stat(join(running.folder, '.acorn'))).mode & 0o777).toBe(0o700);
    expect(existsSync(join(running.folder, '.acorn/web_token'))).toBe(true);
    expect(existsSync(join(running.folder, '.app'))).toBe(false);
  });

  test('shows its name in the page, the meta tag and the configuration', async () => {
    expect(html).toContain('<title>Acorn</title>');
    expect(html).toContain('<meta name="acorn-web-auth" content="');
    expect(html).not.toContain('app-web-auth');
    expect((await readJson(`${running.url}/api/config`)).productName).toBe('Acorn');
  });

  test('accepts the token in its own header only', async () => {
    const token = /acorn-web-auth" content="([^"]+)"/.exec(html)?.[1] ?? '';
    expect((await readJson(`${running.url}/api/plugins`, { 'x-acorn-token': token })).status).toBe(200);
    expect((await readJson(`${running.url}/api/plugins`, { 'x-app-token': token })).status).toBe(401);
  });

  test('loads all platform plugins and built-ins from one file', async () => {
    const token = /acorn-web-auth" content="([^"]+)"/.exec(html)?.[1] ?? '';
    const { plugins } = await readJson(`${running.url}/api/plugins`, { 'x-acorn-token': token });
    const namesOf = (origin: string): string[] => plugins.flatMap((plugin: any) => (plugin.origin === origin ? [plugin.name] : [])).sort();
    expect([namesOf('platform'), namesOf('builtin')]).toEqual([await built('plugins'), await built('builtins')]);
    const loaded = await running.imports();
    expect(loaded.filter((url) => basename(url) === 'pack.mjs')).toHaveLength(1);
    expect(loaded.filter((url) => ['builtins', 'plugins'].includes(basename(dirname(url))))).toEqual([]);
  });

  test('moves the home folder with ACORN_HOME', async () => {
    const home = await mkdtemp(join(tmpdir(), 'acorn-home-'));
    const moved = await start('renamed', { ACORN_HOME: home });
    try {
      expect((await readJson(`${moved.url}/api/config`)).webAuthToken).toBe((await readFile(join(home, 'web_token'), 'utf8')).trim());
      expect(existsSync(join(moved.folder, '.acorn'))).toBe(false);
    } finally {
      await moved.stop();
      await rm(home, { recursive: true, force: true });
    }
  });
});
