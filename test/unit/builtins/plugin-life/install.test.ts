// Plugins of others are installed, updated, audited and removed by the command line: from files, folders, npm, git and an index, on this machine alone.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { archiveOf, makeKey, packOf, publicKeyOf, startRegistry, type Entry } from '../../../helpers/plugin-packs.ts';
import { createCommandLine, type CommandLine } from '../../../helpers/command-line.ts';

let program: CommandLine;
let place: string;
beforeEach(async () => {
  program = await createCommandLine({ builtins: ['cli', 'plugin-life', 'memory'] });
  place = await mkdtemp(join(tmpdir(), 'install-'));
});
afterEach(async () => {
  await program.clean();
  await rm(place, { recursive: true, force: true });
});

type Settings = Record<string, string>;
/** Paths that begin with `./` lie in the place. */
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

test(
  'a pack is made, shown with what it can do and who signed it, installed after a yes, updated and removed without a trace',
  { timeout: 300_000 },
  async () => {
    await app(['new', 'hello', '--dir', './']);
    const setting = "config: { type: 'object', properties: { tone: { type: 'string', default: 'warm', env: 'HELLO_TONE', tab: 'advanced' } } }";
    await writeFile(join(place, 'hello/index.mjs'), code('one', `, ${setting}`));
    const packed = JSON.parse((await app(['pack', './hello', '-o', './hello-0.1.0.tgz', '--json'])).stdout);
    expect(packed).toMatchObject({ name: 'hello', version: '0.1.0', files: 2, isolation: 'child' });
    expect((await app(['pack', './hello', '-o', './again.tgz'])).code).toBe(0);
    expect(await readFile(join(place, 'again.tgz'))).toEqual(await readFile(packed.path));
    expect((await stat(join(program.home, 'plugin_author_key.pem'))).mode & 0o777).toBe(0o600);

    const unasked = await app(['install', './hello-0.1.0.tgz']);
    expect(unasked).toMatchObject({ code: 3, stderr: expect.stringContaining('Say --yes') });
    expect(unasked.stdout).toMatch(
      new RegExp(
        `hello 0\\.1\\.0\n.*\nFrom .*hello-0\\.1\\.0\\.tgz\n2 files, 1 kB, sha256 [0-9a-f]{64}\nSigned by ${packed.fingerprint}\\.\n- It runs in a process of its own`,
      ),
    );
    expect(existsSync(folderOf())).toBe(false);

    expect(await app(['install', './hello-0.1.0.tgz', '--yes'])).toMatchObject({ code: 0, stdout: expect.stringContaining('hello is installed, and active.') });
    expect(await readdir(join(program.home, 'plugins'))).toEqual(['hello']);
    expect((await stat(folderOf())).mode & 0o777).toBe(0o700);
    expect((await stat(join(folderOf(), 'index.mjs'))).mode & 0o777).toBe(0o600);
    expect((await lock()).plugins.hello).toMatchObject({
      version: '0.1.0',
      key: packed.key,
      isolation: 'child',
      files: [{ path: 'index.mjs' }, { path: 'package.json' }],
    });
    expect(await app(['audit'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Its files are those that were installed.') });
    expect((await app(['install', './hello-0.1.0.tgz', '--yes'])).stdout).toContain('hello 0.1.0 is what is installed.');

    await writeFile(join(place, 'hello/index.mjs'), code('two, and longer', `, requires: ['chats'], ${setting}`));
    await app(['pack', './hello', '--release', '0.2.0', '-o', './hello-0.1.0.tgz']);
    const updated = await app(['update', 'hello', '--yes']);
    expect(updated.stdout).toMatch(
      /hello 0\.2\.0 in place of 0\.1\.0[^]*\(before: 2 files, 1 kB\)[^]*as before\.[^]*\+ It uses the server's service 'chats'\.[^]*is what it could not do before/,
    );
    expect((await lock()).plugins.hello).toMatchObject({ version: '0.2.0', services: ['chats'] });
    expect((await lock()).plugins.hello.before).toBeUndefined();

    await program.run(['settings', 'set', 'HELLO_TONE=cold']);
    await mkdir(join(program.home, 'plugin-data/hello'), { recursive: true });
    await writeFile(join(program.home, 'plugin-data/hello/kept'), 'x');
    expect(await app(['remove', 'hello', '--data'])).toMatchObject({ code: 0, stdout: expect.stringContaining('setting HELLO_TONE') });
    const found = spawnSync('grep', ['-rliE', '--exclude=*.log', '--exclude-dir=.compile-cache', 'hello', program.home], { encoding: 'utf8' }).stdout;
    expect(found.split('\n').filter((path) => path !== '' && !path.includes('compile'))).toEqual([]);
    expect(await app(['remove', 'hello'])).toMatchObject({ code: 1, stderr: expect.stringContaining("'hello' was not installed") });
  },
);

test('one that says nothing about where it runs is told so, and audited by where it does', { timeout: 120_000 }, async () => {
  await put('open.tgz', packOf({ 'index.mjs': code('one').replace(", isolation: 'child'", '') }, { isolation: 'process' }));
  expect(await app(['install', './open.tgz'])).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('- It runs in a thread of its own if it works there, and else in the server itself'),
  });
  await app(['install', './open.tgz', '--yes']);
  expect(await rowOf('hello')).toMatchObject({ state: 'active', isolation: 'worker' });
  expect(await app(['audit'])).toMatchObject({ code: 0, stdout: expect.stringContaining('It runs in a thread of its own.') });
});

test('a file that was changed, added or taken away keeps an installed plugin off, and one of the own is in no lock', { timeout: 120_000 }, async () => {
  // A program that was killed long ago left it.
  const left = join(program.home, 'plugins/.staging-0123');
  await mkdir(left, { recursive: true, mode: 0o700 });
  await utimes(left, 1_000_000_000, 1_000_000_000);
  await put('a.tgz', packOf({ 'index.mjs': code('one'), 'lib/x.mjs': 'export const x = 1;' }, {}));
  await app(['install', './a.tgz', '--yes']);
  expect(await readdir(join(program.home, 'plugins'))).toEqual(['hello']);
  for (const [change, undo, sentence] of [
    [() => appendFile(join(folderOf(), 'lib/x.mjs'), '//'), () => writeFile(join(folderOf(), 'lib/x.mjs'), 'export const x = 1;'), 'lib/x.mjs was changed'],
    [() => writeFile(join(folderOf(), '.hidden.mjs'), ''), () => rm(join(folderOf(), '.hidden.mjs')), '.hidden.mjs was not in it'],
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
  expect(audited.stdout).toMatch(/own \(own\)[^]*parts of node: child_process\.[^]*Others can change .*own\.mjs/);
  await writeFile(join(program.home, 'plugins.lock.json'), '{');
  expect(await rowOf('hello')).toMatchObject({ state: 'failed', reason: expect.stringContaining('nobody knows what was installed') });
});

test('archives that lead out, link, burst, break off or lie about what is in them are refused, and nothing of them is left', { timeout: 300_000 }, async () => {
  const file = (name: string, content: string | Buffer = code('x')): Entry => ({ name: `package/${name}`, content });
  const index = file('index.mjs');
  const lie = packOf({ 'index.mjs': code('x') }, {});
  const cases: [string, Buffer, RegExp][] = [
    ['a way out', archiveOf([index, file('../../evil.mjs')]), /a file of the name '\.\.\/\.\.\/evil\.mjs'/],
    ['a way out at once', archiveOf([index, { name: '../evil.mjs', content: 'x' }]), /outside of its folder/],
    ['an absolute path', archiveOf([index, { name: '/tmp/evil.mjs', content: 'x' }]), /outside of its folder/],
    ['a long name that leads out', archiveOf([{ name: 'x', kind: 'x', content: '29 path=package/../../evil.m\n' }, index]), /of the name/],
    ['a symbolic link', archiveOf([index, { name: 'package/a', kind: '2', linkTo: '/etc/passwd' }]), /no file: a link/],
    ['a hard link', archiveOf([index, { name: 'package/a', kind: '1', linkTo: '/etc/passwd' }]), /no file: a link/],
    ['a device', archiveOf([index, { name: 'package/a', kind: '3' }]), /no file: a link or a device/],
    ['a backslash', archiveOf([index, file('a\\..\\evil.mjs')]), /of the name/],
    ['names that a system takes for one', archiveOf([index, file('INDEX.mjs')]), /twice/],
    ['a file below a file', archiveOf([index, file('a'), file('a/b')]), /lies below a file/],
    ['too many files', archiveOf([index, ...Array.from({ length: 501 }, (_, at) => file(`f${at}`, ''))]), /more than 500 files/],
    ['a bomb', archiveOf([index, file('zeros', Buffer.alloc(64 * 1024 * 1024))]), /unpacks to more than 4 MB/],
    ['one that breaks off', archiveOf([{ ...index, size: 1_000_000 }]), /breaks off/],
    ['a header that does not add up', archiveOf([{ ...index, sum: 1 }]), /does not add up/],
    ['no archive', Buffer.from('hello'), /no archive/],
    ['no index', archiveOf([file('main.mjs')]), /no index\.mjs/],
    ['a file that was not signed', archiveOf([...entriesOf(lie), file('more.mjs')]), /not what was signed: more\.mjs/],
    [
      'a file that was changed',
      archiveOf(entriesOf(lie).map((one) => (one.name.endsWith('index.mjs') ? { ...one, content: code('y') } : one))),
      /not what was signed: index\.mjs/,
    ],
    [
      'a sheet that was changed',
      archiveOf(entriesOf(lie).map((one) => (one.name.endsWith('.json') ? { ...one, content: String(one.content).replace('Greets', 'Hacks!') } : one))),
      /changed after it was signed/,
    ],
    ['a sheet of something else', archiveOf([index, file('plugin.json', '{"name":"hello"}')]), /is not that of a plugin/],
    ['a code that runs elsewhere than the sheet says', packOf({ 'index.mjs': code('x').replace("'child'", "'worker'") }, {}), /says other isolation of itself/],
    ['a code that asks for more than the sheet says', packOf({ 'index.mjs': code('x', ", requires: ['vault']") }, {}), /says other services of itself/],
    ['a code of another name', packOf({ 'index.mjs': code('x').replace("'hello'", "'other'") }, {}), /says other name of itself/],
    ['a plugin of the product', packOf({ 'index.mjs': code('x').replace("'hello'", "'memory'") }, { name: 'memory' }), /of its own/],
    ['another plugin contract', packOf({ 'index.mjs': code('x', ', api: 2') }, { api: { from: 2, to: 2 } }), /plugin contract 2/],
    [
      'packages that nobody installs',
      archiveOf([index, file('package.json', '{"dependencies":{"left-pad":"1"}}')]),
      /packages that would have to be installed/,
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

/** Of an archive that was made here. */
function entriesOf(archive: Buffer): Entry[] {
  const text = execFileSync('tar', ['tzf', '-'], { input: archive, encoding: 'utf8' });
  return text
    .trim()
    .split('\n')
    .map((name) => ({ name, content: execFileSync('tar', ['xOzf', '-', name], { input: archive }).toString() }));
}

test('what an installed plugin says of itself is asked anew at each start, however it is written', { timeout: 120_000 }, async () => {
  // Its index names no place to run.
  const manifest = "export const manifest = { name: 'hello', isolation: 'child' };";
  await put('a.tgz', packOf({ 'index.mjs': "export { manifest } from './said.mjs'; export function register() {}", 'said.mjs': manifest }, {}));
  expect(await app(['install', './a.tgz', '--yes'])).toMatchObject({ code: 0, stdout: expect.stringContaining('hello is installed, and active.'), stderr: '' });
  expect(await rowOf('hello')).toMatchObject({ state: 'active', isolation: 'child' });
  const { plugins } = await lock();
  plugins.hello.services = ['vault'];
  await writeFile(join(program.home, 'plugins.lock.json'), JSON.stringify({ lockVersion: 1, plugins }));
  expect(await rowOf('hello')).toMatchObject({ state: 'failed', reason: expect.stringContaining('something else than what was agreed to') });
  plugins.hello.services = [];
  plugins.hello.isolation = 'worker';
  await writeFile(join(program.home, 'plugins.lock.json'), JSON.stringify({ lockVersion: 1, plugins }));
  expect(await rowOf('hello')).toMatchObject({ state: 'failed', reason: expect.stringContaining('something else than what was agreed to') });
  expect(await app(['audit'])).toMatchObject({ code: 1, stdout: expect.stringContaining('something else than what was agreed to') });
});

test('npm: by the hash of the registry, no younger than it may be, signed by who signed before, and no script runs', { timeout: 300_000 }, async () => {
  const [key, other] = [makeKey(), makeKey()];
  const scripts = JSON.stringify({ name: 'hello', version: '1.0.0', scripts: { postinstall: `touch ${join(place, 'ran')}` } });
  const old = '2026-01-01T00:00:00.000Z';
  const now = new Date().toISOString();
  const versions: Record<string, { archive: Buffer; published: string; integrity?: string }> = {
    '1.0.0': { archive: packOf({ 'index.mjs': code('one'), 'package.json': scripts }, {}, key), published: old },
    '1.1.0': { archive: packOf({ 'index.mjs': code('two') }, { version: '1.1.0' }, key), published: now },
  };
  const registry = await startRegistry('hello', versions);
  onTestFinished(() => registry.close());
  const environment = { AGENT_PLUGIN_REGISTRY: registry.url };
  const young = await app(['install', 'npm:hello', '--yes'], environment);
  const from = new Date(Date.parse(now) + 7 * 86_400_000).toISOString().slice(0, 16).replace('T', ' ');
  expect(young).toMatchObject({ code: 1, stderr: expect.stringContaining(`may come from ${from} on`) });
  expect(young.stderr).toContain('too_young');
  const first = await app(['install', 'npm:hello@1.0.0', '--yes'], environment);
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/From npm:hello@1\.0\.0, published 2026-01-01[^]*scripts that installers run \(postinstall\); they never run here/),
  });
  expect((await app(['update', '--yes', '--no-cool-down'], environment)).stdout).toContain('hello 1.1.0 in place of 1.0.0');
  expect(existsSync(join(place, 'ran'))).toBe(false);
  versions['1.2.0'] = { archive: packOf({ 'index.mjs': code('three') }, { version: '1.2.0' }, other), published: old };
  expect(await app(['update', 'hello', '--yes'], environment)).toMatchObject({ code: 1, stderr: expect.stringContaining('not signed by the key') });
  expect((await app(['update', 'hello', '--yes'], environment)).stderr).toContain('key_changed');
  versions['1.2.0'] = { archive: archiveOf([{ name: 'package/index.mjs', content: code('three') }]), published: old };
  expect(await app(['update', 'hello', '--yes'], environment)).toMatchObject({ code: 1, stderr: expect.stringContaining('not signed by the key') });
  delete versions['1.2.0'];
  versions['1.1.0'] = { archive: packOf({ 'index.mjs': code('other') }, { version: '1.1.0' }, key), published: old };
  expect(await app(['update', 'hello', '--yes'], environment)).toMatchObject({ code: 1, stderr: expect.stringContaining('Versions do not change') });
  versions['1.1.0'] = { ...versions['1.1.0'], integrity: `sha512-${'A'.repeat(86)}==` };
  expect(await app(['update', 'hello', '--yes'], environment)).toMatchObject({ code: 1, stderr: expect.stringContaining('is not what the registry tells') });
  expect((await lock()).plugins.hello).toMatchObject({ version: '1.1.0', source: 'npm:hello', resolved: 'npm:hello@1.1.0', key: publicKeyOf(key) });
});

test('git: the newest commit, without hooks and submodules; a folder: what of it is the plugin', { timeout: 120_000 }, async () => {
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
  expect(installed).toMatchObject({ code: 0, stdout: expect.stringMatching(/Nobody signed it\.[^]*active/) });
  expect((await lock()).plugins.hello.resolved).toBe(`git:file://${repository}#${git('rev-parse', 'HEAD').trim()}`);
  expect(await readdir(folderOf())).toEqual(['index.mjs']);
  expect(await app(['install', 'git:--upload-pack=touch', '--yes'])).toMatchObject({ code: 1, stderr: expect.stringContaining('no address of a repository') });
  expect((await app(['remove', 'hello'])).code).toBe(0);
  expect(await app(['install', './hello', '--yes'])).toMatchObject({ code: 0, stdout: expect.stringContaining('active') });
  execFileSync('ln', ['-s', '/etc/passwd', join(repository, 'link.mjs')]);
  expect(await app(['update', '--yes'])).toMatchObject({ code: 1, stderr: expect.stringContaining('link.mjs is a link') });
});

test('an index: searched, installed from by hash and key, and refused where it lies', { timeout: 120_000 }, async () => {
  const key = makeKey();
  const archive = packOf({ 'index.mjs': code('one') }, {}, key);
  const entry = {
    ...{ name: 'hello', version: '1.0.0', published: '2026-01-01T00:00:00Z', description: 'Greets people.', url: 'hello.tgz', key: publicKeyOf(key) },
    ...{ sha256: createHash('sha256').update(archive).digest('hex'), capabilities: {}, isolation: 'child', size: archive.length },
  };
  const pages: Record<string, Buffer | string> = { 'hello.tgz': archive, 'index.json': JSON.stringify({ name: 'friends', plugins: [entry] }) };
  const site = await startRegistry('none', {}, pages);
  onTestFinished(() => site.close());
  const environment = { AGENT_PLUGIN_INDEX: `${site.url}/index.json` };
  expect((await app(['search'])).stdout).toContain('No index is set');
  expect((await app(['search', 'people'], environment)).stdout).toMatch(/hello +1\.0\.0 +2026-01-01 +child +1 kB +Greets people\./);
  for (const [change, sentence] of [
    [{ sha256: '0'.repeat(64) }, 'is not what the index'],
    [{ key: publicKeyOf(makeKey()) }, 'another key of it'],
    [{ isolation: 'worker' }, 'another isolation of it'],
    [{ published: new Date().toISOString() }, 'may come from'],
    [{ evil: true }, 'no index of plugins'],
  ] as const) {
    pages['index.json'] = JSON.stringify({ name: 'friends', plugins: [{ ...entry, ...change }] });
    expect(await app(['install', 'hello', '--yes'], environment)).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
  }
  pages['index.json'] = JSON.stringify({ name: 'friends', plugins: [entry] });
  expect(await app(['install', 'hello', '--yes'], environment)).toMatchObject({ code: 0, stdout: expect.stringContaining('active') });
  expect((await app(['search'], environment)).stdout).toContain('(installed: 1.0.0)');
});
