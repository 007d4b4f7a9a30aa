// A plugin that says nothing about where it runs: in a thread, unless something of it works in the server's process alone, and then the row says what.
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openKept, ownFiles, type KeptPlugins } from '../../../builtins/distribution/isolation/kept.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';

let harness: Harness | undefined;
let folder: string;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** A server with these files in its folder of plugins. */
async function start(files: Readonly<Record<string, string>>, environment: Record<string, string> = {}, home?: string): Promise<Harness> {
  if (!home) folder = await mkdtemp(join(tmpdir(), 'by-default-'));
  await mkdir(join(folder, 'mine'), { mode: 0o700, recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, 'mine', name, '..'), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, 'mine', name), text, { mode: 0o600 });
  }
  harness = await startHarness({
    ...(home ? { home } : {}),
    environment: { ...environment, AGENT_PLUGIN_DIR: join(folder, 'mine'), PATH: process.env['PATH'] },
  });
  return harness;
}

const rowOf = async (name: string): Promise<any> => (await (harness as Harness).call('GET', '/api/plugins')).body.plugins.find((row: any) => row.name === name);
const get = async (path: string): Promise<any> => (await (harness as Harness).call('GET', `/api/${path}`)).body;
const route = (path: string, handle: string): string =>
  `registry.add('route', { key: 'GET /api/${path}', summary: 'x', tag: 'x', schema: {}, handle: async (context) => { ${handle} } });`;
const register = (body: string): string => `export function register(registry, emitter) { ${body} }`;

test('what needs nothing of the process runs in a thread: with parts of its own, sums, timers, settings and own events', async () => {
  await start({
    'plain.mjs': `import { createHash } from 'node:crypto';
      import { double } from './plain/parts.mjs';
      export const manifest = { name: 'plain', events: ['counted'], config: { type: 'object', properties: { tone: { type: 'string', default: 'kind', env: 'PLAIN_TONE', tab: 'advanced' } } } };
      let heard = 0;
      ${register(`emitter.on('counted', () => { heard++; });
        ${route('plain', `emitter.emit('counted', {}); const process = { env: 'a name of its own' }; return { twice: double(2), hash: createHash('sha256').update('x').digest('hex').length, tone: registry.config.tone, heard, own: process.env };`)}`)}`,
    'plain/parts.mjs': `export const double = (value) => value * 2;`,
    'whole/index.mjs': `import { three } from './three.mjs'; ${register(route('whole', 'return { three };'))}`,
    'whole/three.mjs': `export const three = 3;`,
  });
  for (const name of ['plain', 'whole']) expect(await rowOf(name)).toMatchObject({ state: 'active', isolation: 'worker' });
  expect(await rowOf('plain')).not.toHaveProperty('because');
  expect(await get('plain')).toMatchObject({ twice: 4, hash: 64, tone: 'kind', own: 'a name of its own' });
  await expect.poll(async () => (await get('plain')).heard).toBeGreaterThan(0);
  expect(await get('whole')).toEqual({ three: 3 });
});

const cases: readonly (readonly [what: string, file: string, because: string])[] = [
  ['the environment', register(route('x', `return { home: process.env.HOME };`)), 'reads the environment'],
  ['the environment by a member in brackets', register(route('x', `return { home: process['env'].HOME };`)), 'reads the environment'],
  ['the process', `const { pid } = process; ${register('')}`, "uses 'process'"],
  ['a global by the global object', register(`globalThis.shared = 1;`), "uses 'shared'"],
  ['fetch', register(route('x', `return { text: await (await fetch('http://127.0.0.1:1/')).text() };`)), 'names no host'],
  ['eval', register(`eval('1');`), 'runs texts as code'],
  ['a function made of text', register(`new Function('return 1')();`), 'runs texts as code'],
  ['files', `import { readFile } from 'node:fs/promises'; ${register('')}`, 'uses files'],
  ['a module of node that is taken away', `import { connect } from 'net'; ${register('')}`, "uses node's module 'net'"],
  [
    'a part of a module that is taken away',
    `import os from 'node:os'; ${register(route('x', 'return { name: os.hostname() };'))}`,
    "'hostname' of node's module 'os'",
  ],
  ['a package', `import thing from 'some-package'; ${register('')}`, "imports 'some-package'"],
  ['a file beside it', `import { one } from '../one.mjs'; ${register('')}`, "imports '../one.mjs'"],
  ['a name of a module that is worked out', register(`void import('node:' + 'os');`), 'imports what it works out'],
  ['a module that is required', `import { createRequire } from 'node:module'; ${register('')}`, "uses node's module 'module'"],
  ['a service', `export const manifest = { name: 'one', optional: ['notes'] }; ${register('')}`, "uses the service 'notes'"],
  [
    'a service of its own',
    `export const manifest = { name: 'one', provides: ['mine'] }; ${register(`registry.provide('mine', () => ({}));`)}`,
    'has a service of its own',
  ],
  ['a service of its own, by another name', register(`const all = registry; all.point('mine', { added() {} });`), 'owns a point'],
  ['a hook', register(`emitter.tap('turn.before', () => undefined);`), "takes part in 'turn.before'"],
  ['hooks in a loop', register(`for (const hook of ['turn.before', 'turn.after']) emitter.tap(hook, () => undefined);`), "takes part in 'turn.before'"],
  ['an event', register(`emitter.on('turn_start', () => undefined);`), "hears 'turn_start'"],
  ['an event that it hears by another name', register(`const { on } = emitter; on('turn_start', () => undefined);`), "hears 'turn_start'"],
  ['a point that answers at once', register(`registry.add('token_source', { name: 'one', identify: () => undefined });`), "adds to 'token_source'"],
  [
    'a function that answers at once',
    register(
      `const item = { name: 'one_tool', description: 'x', input: { type: 'object' }, display: { subject: () => 'x' }, run: () => 'x' }; registry.add('tool', item);`,
    ),
    "'display.subject'",
  ],
  [
    'a rule of approval',
    register(`registry.add('approval_rule', { name: 'one', decide: () => ({ verdict: 'allow', reason: 'mine' }) });`),
    'decides about approvals',
  ],
  ['who asks', register(route('x', `return { token: typeof context.token };`)), 'reads more of a request'],
  [
    'an object of a class',
    register(`registry.add('slash_command', { name: 'one', summary: 'x', places: new (class extends Array {})(), more: new (class {})(), run: () => 'x' });`),
    'adds objects of classes',
  ],
  ['what another agent left as CommonJS', `module.exports = { register() {} };`, 'is written as CommonJS'],
];

test('what uses something that is in the process alone stays there as before, and its row says why', async () => {
  const files = Object.fromEntries(
    cases.map(([, text], at) => [
      `p${at}.${text.startsWith('module') ? 'js' : 'mjs'}`,
      text.replaceAll("'one'", `'p${at}'`).replaceAll('/api/x', `/api/x${at}`),
    ]),
  );
  await start({ ...files, '../one.mjs': 'export const one = 1;' });
  const { plugins } = (await (harness as Harness).call('GET', '/api/plugins')).body;
  for (const [at, [what, , because]] of cases.entries()) {
    const row = plugins.find(({ name }: any) => name === `p${at}`);
    expect([what, row.isolation, row.because]).toEqual([what, undefined, expect.stringContaining(because.replace("'one'", `'p${at}'`))]);
  }
  expect(await get('x0')).toEqual({ home: process.env['HOME'] });
});

test('who hides what it does wins nothing: it runs in the thread, and is refused there', async () => {
  await start({
    'hides.mjs': register(
      `const made = (text) => [].constructor['const' + 'ructor'](text)();
       ${route('hides', `try { return { env: Object.keys(made('return process.env')).length, files: String(await made('return process.getBuiltinModule("fs")').readFileSync('/etc/passwd')).length }; } catch (fault) { return { code: fault.code }; }`)}
       ${route('late', `try { emitter['o' + 'n']('tool_approval', () => undefined); return {}; } catch (fault) { return { message: fault.message }; }`)}`,
    ),
    // What it throws there is its own fault, and no way out.
    'fails.mjs': register(`if ([].constructor['const' + 'ructor']('return process.env')().HOME === undefined) throw new Error('not here');`),
  });
  expect(await rowOf('hides')).toMatchObject({ state: 'active', isolation: 'worker' });
  expect(await get('hides')).toEqual({ code: 'ERR_ACCESS_DENIED' });
  expect((await get('late')).message).toContain("hears 'tool_approval'; name it in capabilities.events");
  expect(await rowOf('fails')).toMatchObject({ state: 'failed', reason: expect.stringContaining('not here') });
});

test('where it runs is kept by its files, and worked out again when they change; a person and its manifest have the last word', async () => {
  const text = (more: string): string => `${more} ${register(`${route('fine', `return { fine: true };`)}`)}`;
  const server = await start({ 'fine.mjs': text(''), 'stays.mjs': `export const manifest = { name: 'stays', isolation: 'process' }; ${register('')}` });
  expect([await rowOf('fine'), await rowOf('stays')]).toMatchObject([{ isolation: 'worker' }, { because: 'says so itself' }]);
  await server.close({ keepFiles: true });
  const again = await start({}, {}, server.home);
  expect(await rowOf('fine')).toMatchObject({ state: 'active', isolation: 'worker', adds: ['route:GET /api/fine'] });
  expect(await get('fine')).toEqual({ fine: true });
  await writeFile(join(folder, 'mine/fine.mjs'), text('process.env;'), { mode: 0o600 });
  await again.call('POST', '/api/plugins/reload', {});
  expect(await rowOf('fine')).toMatchObject({ because: 'reads the environment' });
  const choose = async (isolation: string | null): Promise<any> => (await again.call('PUT', '/api/plugins/fine/trust', { isolation })).body.plugin;
  expect(await choose('child')).toMatchObject({ isolation: 'child', chosen: 'child' });
  expect(await choose('process')).toMatchObject({ chosen: 'process', because: 'was put there by you' });
  expect(await choose(null)).toMatchObject({ because: 'reads the environment' });
});

test('what it names beyond its own folder is asked for, and then it is given it in the thread', async () => {
  const text = `import { writeFileSync, mkdirSync } from 'node:fs';
    export const manifest = { name: 'asks', capabilities: { write: [], events: ['turn_start'], hooks: ['turn.before'] } };
    ${register(`let heard = 0; emitter.on('turn_start', () => { heard++; }); emitter.tap('turn.before', () => undefined);
      ${route('asks', `mkdirSync(registry.plugin.dataDir, { recursive: true }); writeFileSync(registry.plugin.dataDir + '/own.txt', 'own'); return { heard };`)}`)}`;
  const server = await start({ 'asks.mjs': text }, { AGENT_PLUGIN_ASK: '1' });
  const asks = ["It takes part in 'turn.before', and may change what happens there.", "It hears 'turn_start'."];
  expect(await rowOf('asks')).toMatchObject({ state: 'failed', asks });
  expect((await server.call('PUT', '/api/plugins/asks/trust', { asks })).body.plugin).toMatchObject({
    state: 'active',
    isolation: 'worker',
    capabilities: asks,
  });
  const { turnId } = (await server.call('POST', '/api/message', { text: 'hello' })).body;
  await server.kernel.resolve('turns').ended(turnId);
  await expect.poll(async () => (await get('asks')).heard).toBe(1);
  expect(await readFile(join(server.home, 'plugin-data/asks/own.txt'), 'utf8')).toBe('own');
});

test('while a plugin is read anew its row stays', async () => {
  const server = await start({ 'slow.mjs': register(route('slow', `return { at: 1 };`)) });
  await writeFile(join(folder, 'mine/slow.mjs'), `await new Promise((resolve) => setTimeout(resolve, 300)); ${register(route('slow', `return { at: 2 };`))}`, {
    mode: 0o600,
  });
  const reloading = server.call('POST', '/api/plugins/reload', {});
  let isOver = false;
  void reloading.then(() => (isOver = true));
  while (!isOver) expect(await rowOf('slow')).toMatchObject({ name: 'slow' });
  expect(await get('slow')).toEqual({ at: 2 });
});

test('what is kept of all plugins is one file; files that changed are noticed whatever their size and time say, and of those that are gone nothing stays', async () => {
  const text = (answer: string): string => register(route('fine', `return { answer: '${answer}' };`));
  const server = await start({ 'fine.mjs': text('one'), 'gone.mjs': register('') });
  const file = join(folder, 'mine/fine.mjs');
  const long = new Date(Date.now() - 100_000);
  await utimes(file, long, long);
  await expect.poll(() => readdirSync(join(server.home, 'plugin-cache'))).toEqual(['plugins.bin']);
  await server.close({ keepFiles: true });
  await rm(join(folder, 'mine/gone.mjs'));
  await start({}, {}, server.home);
  expect(await get('fine')).toEqual({ answer: 'one' });
  await harness?.close({ keepFiles: true });
  await writeFile(file, text('two'), { mode: 0o600 });
  await utimes(file, long, long);
  const again = await start({}, {}, server.home);
  expect(await rowOf('fine')).toMatchObject({ state: 'active', isolation: 'worker' });
  expect(await get('fine')).toEqual({ answer: 'two' });
  await expect.poll(async () => (await readFile(join(again.home, 'plugin-cache/plugins.bin'))).includes('gone.mjs')).toBe(false);
});

test('of files that rest nothing is read again, and what was kept of them stays whoever asks for what', async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-'));
  const path = join(folder, 'one.mjs');
  await writeFile(path, 'export function register() {}');
  const open = (): KeptPlugins => openKept(join(folder, 'kept'), true, -60_000);
  const first = open();
  const own = ownFiles(path);
  expect(first.contentOf(path, () => 'a hash')).toBe('a hash');
  first.of(path, own).keep({ manifest: { name: 'one' }, place: { tier: 'worker' } });
  // Where it was run by somebody's choice changes nothing of what it says.
  first.of(path, own).keep({ manifest: { name: 'one', isolation: 'child' } });
  await expect.poll(() => existsSync(join(folder, 'kept/plugins.bin'))).toBe(true);
  const later = open();
  const again = (): never => {
    throw new Error('it was read again');
  };
  expect(later.contentOf(path, again)).toBe('a hash');
  expect(later.of(path, own)).toMatchObject({ manifest: { name: 'one' }, place: { tier: 'worker' } });
  expect(later.of(path, own).manifest).not.toHaveProperty('isolation');
  await writeFile(path, 'export function register() { }');
  expect(later.of(path, own).isUnchanged()).toBe(true);
  expect(later.of(path, own).manifest).toBeUndefined();
  expect(later.contentOf(path, () => 'another')).toBe('another');
});
