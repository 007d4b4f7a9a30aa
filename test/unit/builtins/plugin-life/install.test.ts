// Tests installing, updating, auditing and removing third-party plugins on the command line: from archives, folders, npm and git.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { archiveOf, packOf, startRegistry, type Entry } from '../../../helpers/plugin-packs.ts';
import { type CommandLine, createCommandLine } from '../../../helpers/command-line.ts';
import { useEach, useFolder } from '../../../helpers/use-opened.ts';

const program = useEach(() => createCommandLine({ builtins: ['cli', 'plugin-life', 'memory'] }));
const place = useFolder('install-');

type Settings = Record<string, string>;
/** Runs a plugins command; paths that begin with `./` are relative to the test folder. */
const app = (argv: readonly string[], environment: Settings = {}): ReturnType<CommandLine['run']> =>
  program.run(['plugins', ...argv.map((word) => (word.startsWith('./') ? join(place, word) : word))], { environment });
const put = (name: string, content: Buffer | string): Promise<void> => writeFile(join(place, name), content);
const code = (greeting: string, manifest = ''): string => `export const manifest = { name: 'hello', isolation: 'child'${manifest} };
export function register(registry) {
  registry.add('tool', { name: 'greet', description: 'x', effects: ['read'], input: { type: 'object' }, run: () => '${greeting}' });
}`;
const folderOf = (): string => join(program.home, 'plugins/hello');
const lock = async (): Promise<any> => JSON.parse(await readFile(join(program.home, 'plugins.lock.json'), 'utf8'));
const rowOf = async (name: string): Promise<any> => JSON.parse((await app(['--json'])).stdout).find((row: any) => row.name === name);

test('shows the capabilities of an archive, installs it on approval, updates it and removes all its data', { timeout: 300_000 }, async () => {
  const setting = "config: { type: 'object', properties: { tone: { type: 'string', default: 'warm', env: 'APP_PLUGIN_HELLO_TONE', tab: 'advanced' } } }";
  await put('hello.tgz', packOf({ 'index.mjs': code('one', `, ${setting}`) }, { version: '0.1.0' }));
  const unasked = await app(['install', './hello.tgz']);
  expect(unasked).toMatchObject({ code: 3, stderr: expect.stringContaining('Use --yes') });
  expect(unasked.stdout).toMatch(/hello 0\.1\.0\nGreets\.\nFrom .*hello\.tgz\n2 files, 1 kB, sha256 [0-9a-f]{64}\n- It runs isolated in a child process/);
  expect(existsSync(folderOf())).toBe(false);

  expect(await app(['install', './hello.tgz', '--yes'])).toMatchObject({ code: 0, stdout: expect.stringContaining('hello is installed, and active.') });
  expect(await readdir(join(program.home, 'plugins'))).toEqual(['hello']);
  expect((await stat(folderOf())).mode & 0o777).toBe(0o700);
  expect((await stat(join(folderOf(), 'index.mjs'))).mode & 0o777).toBe(0o600);
  expect((await lock()).plugins.hello).toMatchObject({ version: '0.1.0', isolation: 'child', files: [{ path: 'index.mjs' }, { path: 'package.json' }] });
  expect(await app(['audit'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Its files match the installed ones.') });
  expect((await app(['install', './hello.tgz', '--yes'])).stdout).toContain('hello 0.1.0 is already installed.');

  await put('hello.tgz', packOf({ 'index.mjs': code('two, and longer', `, requires: ['chats'], ${setting}`) }, { version: '0.2.0' }));
  const updated = await app(['update', 'hello', '--yes']);
  expect(updated.stdout).toMatch(/hello 0\.2\.0 in place of 0\.1\.0[^]*\(before: 2 files, 1 kB\)[^]*\+ It reads all your chats\.[^]*is new in this version/);
  expect((await lock()).plugins.hello).toMatchObject({ version: '0.2.0', services: ['chats'] });
  expect((await lock()).plugins.hello.before).toBeUndefined();

  await program.run(['settings', 'set', 'APP_PLUGIN_HELLO_TONE=cold']);
  await mkdir(join(program.home, 'plugin-data/hello'), { recursive: true });
  await writeFile(join(program.home, 'plugin-data/hello/kept'), 'x');
  expect(await app(['remove', 'hello', '--data'])).toMatchObject({ code: 0, stdout: expect.stringContaining('setting APP_PLUGIN_HELLO_TONE') });
  const found = spawnSync('grep', ['-rliE', '--exclude=*.log', '--exclude-dir=.compile-cache', 'hello', program.home], { encoding: 'utf8' }).stdout;
  expect(found.split('\n').filter((path) => path !== '' && !path.includes('compile'))).toEqual([]);
  expect(await app(['remove', 'hello'])).toMatchObject({ code: 1, stderr: expect.stringContaining("'hello' was not installed") });
});

test.each([
  ...['../../escaped', 'a/../../b-escaped', 'x/y', '../chats/newchat', '/tmp/absolute', '.hidden', 'good\u202e', '\u00dcn\u00ef', '__proto__'],
  ...['hasOwnProperty', 'Hello', 'a--b', 'hello\n', ''],
])('rejects the plugin name %j before using it as a path or key', async (name) => {
  await put('bad.tgz', packOf({ 'index.mjs': code('one').replace("'hello'", JSON.stringify(name)) }));
  expect(await app(['install', './bad.tgz', '--yes'])).toMatchObject({ code: 1, stderr: expect.stringMatching(/has (the name|no name)|cannot be read/) });
  expect(existsSync(join(program.home, 'plugins')) ? await readdir(join(program.home, 'plugins')) : []).toEqual([]);
  expect(existsSync(join(program.home, 'plugins.lock.json'))).toBe(false);
});

test('accepts a plugin named like an inherited object property', async () => {
  await put('named.tgz', packOf({ 'index.mjs': code('one').replace("'hello'", "'constructor'") }));
  expect(await app(['install', './named.tgz', '--yes'])).toMatchObject({ code: 0 });
  expect(Object.keys((await lock()).plugins)).toEqual(['constructor']);
  expect(await app(['remove', 'constructor'])).toMatchObject({ code: 0 });
});

test('leaves no files and no lock entry after a failed installation', async () => {
  await put('hello.tgz', packOf({ 'index.mjs': code('one') }));
  await mkdir(join(program.home, 'plugins'), { recursive: true, mode: 0o700 });
  const server = await program.serve();
  const { body: offer } = await server.call('POST', '/api/plugins/offers', { source: join(place, 'hello.tgz') });
  await mkdir(join(folderOf(), 'in-the-way'), { recursive: true });
  expect(await server.call('POST', `/api/plugins/offers/${offer.id}`, { digest: offer.digest })).toMatchObject({ status: 422 });
  expect(await readdir(join(program.home, 'plugins'))).toEqual(['hello']);
  expect((await lock().catch(() => ({ plugins: {} }))).plugins).toEqual({});
});

test('isolates a plugin without an isolation setting, and shows when one requests the server process', { timeout: 120_000 }, async () => {
  await put('open.tgz', packOf({ 'index.mjs': code('one').replace(", isolation: 'child'", '') }));
  expect(await app(['install', './open.tgz', '--yes'])).toMatchObject({ code: 0, stdout: expect.stringContaining('- It runs isolated in a child process') });
  expect(await rowOf('hello')).toMatchObject({ state: 'active', isolation: 'child' });
  expect(await app(['audit'])).toMatchObject({ code: 0, stdout: expect.stringContaining('It runs isolated in a child process.') });
  await put('open.tgz', packOf({ 'index.mjs': code('one').replace("'child'", "'process'") }, { version: '2.0.0' }));
  expect(await app(['update', 'hello', '--yes'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('+ It runs in the server process with all its rights'),
  });
  expect(await rowOf('hello')).not.toHaveProperty('isolation');
});

test('blocks an installed plugin with changed, added or removed files, and audits an unlocked one', { timeout: 120_000 }, async () => {
  const left = join(program.home, 'plugins/.staging-0123');
  await mkdir(left, { recursive: true, mode: 0o700 });
  await utimes(left, 1_000_000_000, 1_000_000_000);
  await put('a.tgz', packOf({ 'index.mjs': code('one'), 'lib/x.mjs': 'export const x = 1;' }));
  await app(['install', './a.tgz', '--yes']);
  expect(await readdir(join(program.home, 'plugins'))).toEqual(['hello']);
  for (const [change, undo, sentence] of [
    [() => appendFile(join(folderOf(), 'lib/x.mjs'), '//'), () => writeFile(join(folderOf(), 'lib/x.mjs'), 'export const x = 1;'), 'lib/x.mjs was changed'],
    [() => writeFile(join(folderOf(), '.hidden.mjs'), ''), () => rm(join(folderOf(), '.hidden.mjs')), '.hidden.mjs was added'],
    [() => rm(join(folderOf(), 'lib/x.mjs')), () => writeFile(join(folderOf(), 'lib/x.mjs'), 'export const x = 1;'), 'lib/x.mjs is missing'],
  ] as const) {
    await change();
    expect(await rowOf('hello')).toMatchObject({ state: 'failed', reason: expect.stringContaining(sentence) });
    expect(await app(['audit'])).toMatchObject({ code: 1, stdout: expect.stringContaining(sentence) });
    await undo();
    expect(await rowOf('hello')).toMatchObject({ state: 'active' });
  }
  await appendFile(join(folderOf(), 'index.mjs'), '//');
  expect((await app(['install', './a.tgz', '--yes'])).stdout).toContain('hello is installed, and active.');
  await writeFile(join(program.home, 'plugins/own.mjs'), "import 'node:child_process'; export function register() {}", { mode: 0o644 });
  expect(await rowOf('own')).toMatchObject({ state: 'active' });
  await chmod(join(program.home, 'plugins/own.mjs'), 0o666);
  const audited = await app(['audit']);
  expect(audited.code).toBe(1);
  expect(audited.stdout).toMatch(/own \(own\)[^]*these Node modules: child_process\.[^]*Other users can change .*own\.mjs/);
  await writeFile(join(program.home, 'plugins.lock.json'), '{');
  expect(await rowOf('hello')).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('cannot be read, so the installed plugins cannot be checked'),
  });
});

test('rejects malicious, oversized and malformed archives without leaving files', { timeout: 300_000 }, async () => {
  const file = (name: string, content: string | Buffer = code('x')): Entry => ({ name: `package/${name}`, content });
  const index = file('index.mjs');
  const cases: [string, Buffer, RegExp][] = [
    ['a way out', archiveOf([index, file('../../evil.mjs')]), /the forbidden name '\.\.\/\.\.\/evil\.mjs'/],
    ['a way out at once', archiveOf([index, { name: '../evil.mjs', content: 'x' }]), /outside of its folder/],
    ['an absolute path', archiveOf([index, { name: '/tmp/evil.mjs', content: 'x' }]), /outside of its folder/],
    ['a long name that leads out', archiveOf([{ name: 'x', kind: 'x', content: '29 path=package/../../evil.m\n' }, index]), /forbidden name/],
    ['a symbolic link', archiveOf([index, { name: 'package/a', kind: '2', linkTo: '/etc/passwd' }]), /not a regular file: a link/],
    ['a hard link', archiveOf([index, { name: 'package/a', kind: '1', linkTo: '/etc/passwd' }]), /not a regular file: a link/],
    ['a device', archiveOf([index, { name: 'package/a', kind: '3' }]), /not a regular file: a link or a device/],
    ['a backslash', archiveOf([index, file('a\\..\\evil.mjs')]), /forbidden name/],
    ['names that a system takes for one', archiveOf([index, file('INDEX.mjs')]), /twice/],
    ['a file below a file', archiveOf([index, file('a'), file('a/b')]), /is inside a path that is a file/],
    ['too many files', archiveOf([index, ...Array.from({ length: 501 }, (_, at) => file(`f${at}`, ''))]), /more than 500 files/],
    ['a bomb', archiveOf([index, file('zeros', Buffer.alloc(64 * 1024 * 1024))]), /unpacks to more than 4 MB/],
    ['one that breaks off', archiveOf([{ ...index, size: 1_000_000 }]), /incomplete/],
    ['a header that does not add up', archiveOf([{ ...index, sum: 1 }]), /wrong checksum/],
    ['no archive', Buffer.from('hello'), /not an archive/],
    ['no index', archiveOf([file('main.mjs')]), /no index\.mjs/],
    ['a plugin of the product', packOf({ 'index.mjs': code('x').replace("'hello'", "'memory'") }), /name of a plugin of this product/],
    ['a service that no isolated plugin may use', packOf({ 'index.mjs': code('x', ", requires: ['webToken']") }), /uses the service 'webToken'/],
    [
      'a hook that no isolated plugin may tap',
      packOf({ 'index.mjs': code('x', ", capabilities: { hooks: ['approval.judge'] }") }),
      /taps the hook 'approval.judge'/,
    ],
    [
      'packages that nobody installs',
      archiveOf([index, file('package.json', '{"dependencies":{"left-pad":"1"}}')]),
      /has dependencies, which are not installed/,
    ],
    ['a code that fails when it is read', archiveOf([file('index.mjs', 'throw new Error("no luck")')]), /no luck/],
  ];
  await program.serve();
  for (const [name, archive, sentence] of cases) {
    await put('bad.tgz', archive);
    const { code: exit, stderr } = await app(['install', './bad.tgz', '--yes']);
    expect([name, exit, stderr]).toEqual([name, 1, expect.stringMatching(sentence)]);
    expect(existsSync(join(program.home, 'plugins')) ? await readdir(join(program.home, 'plugins')) : []).toEqual([]);
  }
  expect(existsSync(join(place, 'evil.mjs'))).toBe(false);
  expect(existsSync(join(program.home, 'plugins.lock.json'))).toBe(false);
});

test('reads the manifest of an installed plugin at each start and blocks it if it differs from the lock', { timeout: 120_000 }, async () => {
  const manifest = "export const manifest = { name: 'hello', isolation: 'child' };";
  await put('a.tgz', packOf({ 'index.mjs': "export { manifest } from './said.mjs'; export function register() {}", 'said.mjs': manifest }));
  expect(await app(['install', './a.tgz', '--yes'])).toMatchObject({ code: 0, stdout: expect.stringContaining('hello is installed, and active.'), stderr: '' });
  expect(await rowOf('hello')).toMatchObject({ state: 'active', isolation: 'child' });
  const { plugins } = await lock();
  plugins.hello.services = ['vault'];
  await writeFile(join(program.home, 'plugins.lock.json'), JSON.stringify({ lockVersion: 1, plugins }));
  expect(await rowOf('hello')).toMatchObject({ state: 'failed', reason: expect.stringContaining('differs from the one that was approved') });
});

test('verifies npm packages by hash and cool-down period and never runs their scripts', { timeout: 300_000 }, async () => {
  const scripts = JSON.stringify({ name: 'hello', version: '1.0.0', scripts: { postinstall: `touch ${join(place, 'ran')}` } });
  const old = '2026-01-01T00:00:00.000Z';
  const now = new Date().toISOString();
  const versions: Record<string, { archive: Buffer; published: string; integrity?: string }> = {
    '1.0.0': { archive: packOf({ 'index.mjs': code('one'), 'package.json': scripts }), published: old },
    '1.1.0': { archive: packOf({ 'index.mjs': code('two') }, { version: '1.1.0' }), published: now },
  };
  const registry = await startRegistry('hello', versions);
  onTestFinished(() => registry.close());
  const environment = { AGENT_PLUGIN_REGISTRY: registry.url };
  const young = await app(['install', 'npm:hello', '--yes'], environment);
  const from = new Date(Date.parse(now) + 7 * 86_400_000).toISOString().slice(0, 16).replace('T', ' ');
  expect(young).toMatchObject({ code: 1, stderr: expect.stringContaining(`can be installed from ${from} on`) });
  expect(young.stderr).toContain('too_young');
  const first = await app(['install', 'npm:hello@1.0.0', '--yes'], environment);
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/From npm:hello@1\.0\.0, published 2026-01-01[^]*install scripts \(postinstall\), which never run here/),
  });
  expect((await app(['update', '--yes', '--no-cool-down'], environment)).stdout).toContain('hello 1.1.0 in place of 1.0.0');
  expect(existsSync(join(place, 'ran'))).toBe(false);
  versions['1.1.0'] = { archive: packOf({ 'index.mjs': code('other') }, { version: '1.1.0' }), published: old };
  expect(await app(['update', 'hello', '--yes'], environment)).toMatchObject({ code: 1, stderr: expect.stringContaining('versions must not change') });
  versions['1.1.0'] = { ...versions['1.1.0'], integrity: `sha512-${'A'.repeat(86)}==` };
  expect(await app(['update', 'hello', '--yes'], environment)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("does not match the registry's hash"),
  });
  expect((await lock()).plugins.hello).toMatchObject({ version: '1.1.0', source: 'npm:hello', resolved: 'npm:hello@1.1.0' });
});

test('installs from a git commit and from a folder, and rejects links', { timeout: 120_000 }, async () => {
  const repository = join(place, 'hello');
  await mkdir(repository);
  await writeFile(join(repository, 'index.mjs'), code('from git'));
  await writeFile(join(repository, 'index.test.mjs'), '');
  const git = (...argv: string[]): string =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=x', '-c', 'user.email=x@example.org', '-c', 'init.defaultBranch=main', ...argv], {
      encoding: 'utf8',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'x');
  const installed = await app(['install', `git:file://${repository}#main`, '--yes']);
  expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining('active') });
  expect((await lock()).plugins.hello.resolved).toBe(`git:file://${repository}#${git('rev-parse', 'HEAD').trim()}`);
  expect(await readdir(folderOf())).toEqual(['index.mjs']);
  expect(await app(['install', 'git:--upload-pack=touch', '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not an address of a repository'),
  });
  expect((await app(['remove', 'hello'])).code).toBe(0);
  expect(await app(['install', './hello', '--yes'])).toMatchObject({ code: 0, stdout: expect.stringContaining('active') });
  execFileSync('ln', ['-s', '/etc/passwd', join(repository, 'link.mjs')]);
  expect(await app(['update', '--yes'])).toMatchObject({ code: 1, stderr: expect.stringContaining('link.mjs is a link') });
});
