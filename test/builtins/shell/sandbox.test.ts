import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as shell from '../../../builtins/tools/shell/index.ts';
import { openToolBench, type ToolBench } from '../files/tool-bench.ts';
import { title, whyNot } from './sandbox-tests.ts';

let bench: ToolBench;
let person: string;
let realHome: string | undefined;
const run = (command: string, more: object = {}): Promise<string> => bench.output('run_command', { command, ...more });
const fail = (command: string, more: object = {}): Promise<string> => bench.error('run_command', { command, ...more });

beforeEach(async () => {
  // Not in a temporary folder, where a sandboxed command sees its own; the project itself may lie in one.
  const isTemporary = ['/tmp/', '/var/tmp/'].some((folder) => process.cwd().startsWith(folder));
  person = await realpath(await mkdtemp(join(isTemporary ? homedir() : join(process.cwd(), 'node_modules'), '.sandbox-test-')));
  realHome = process.env['HOME'];
  process.env['HOME'] = person;
  bench = await openToolBench({ modules: { shell }, environment: { AGENT_SANDBOX: 'require' } });
});
afterEach(async () => {
  process.env['HOME'] = realHome;
  expect(await bench.close()).toEqual([]);
  await rm(person, { recursive: true, force: true });
});

describe.skipIf(whyNot !== undefined)(title, () => {
  test('what is written in the workspace is seen outside', async () => {
    expect(await run('printf made > made.txt; pwd')).toBe(bench.workspace);
    expect(await readFile(join(bench.workspace, 'made.txt'), 'utf8')).toBe('made');
  });

  test('nothing is written anywhere else, and the model is told why', async () => {
    const outside = join(person, 'outside.txt');
    expect(await fail(`echo x > ${outside}`)).toContain('It ran in a sandbox that writes to the workspace and /tmp only.');
    await symlink(person, join(bench.workspace, 'link'));
    await fail('echo x > link/outside.txt');
    await fail('echo x > /etc/made-by-a-test');
    await fail('mount -o remount,rw / || umount -l /proc');
    expect(await readdir(person)).toEqual([]);
    await expect(stat('/etc/made-by-a-test')).rejects.toThrow('ENOENT');
  });

  test('the secrets of the product and of the person are not there', async () => {
    await writeFile(join(person, '.netrc'), 's3cret');
    await mkdir(join(person, '.ssh'));
    await writeFile(join(person, '.ssh', 'id_ed25519'), 's3cret');
    await mkdir(join(person, '.app'));
    await writeFile(join(person, '.app', 'web_token'), 's3cret');
    await bench.close();
    const product = { name: 'app', title: 'App', version: '0', home: join(person, '.app'), startFolder: person };
    bench = await openToolBench({ modules: { shell }, services: { product }, environment: { AGENT_SANDBOX: 'require' } });
    const seen = await run(`cat ${person}/.netrc && echo empty; ls -A ${person}/.ssh ${person}/.app; cat ${person}/.app/web_token || ls ${person} -A`);
    expect(seen).not.toContain('s3cret');
    expect(seen).not.toContain('id_ed25519');
    expect(seen).toMatch(/^empty\n/);
    expect(seen).toContain('.netrc');
    await fail(`touch ${person}/.app/x`);
    // As it is where a chat has a workspace of its own in the home folder, or the home folder lies in the workspace.
    await mkdir(join(person, '.app', 'work'));
    const inHome = await bench.output('run_command', { command: 'echo mine > a.txt; ls -A ..' }, { workspaceRoot: join(person, '.app', 'work') });
    expect(inHome).toBe('work');
    expect(await readFile(join(person, '.app', 'work', 'a.txt'), 'utf8')).toBe('mine\n');
    const around = await bench
      .output('run_command', { command: 'touch free.txt; cat .netrc .app/web_token; ls -A .ssh .app .' }, { workspaceRoot: person })
      .catch(String);
    expect(around).not.toMatch(/s3cret|id_ed25519/);
    expect(await readdir(person)).toContain('free.txt');
  });

  test('other processes are neither seen nor ended', async () => {
    expect(Number(await run('ls -d /proc/[0-9]* | wc -l'))).toBeLessThan(8);
    await fail(`kill -9 ${process.pid}`);
  });

  test('/tmp is private to the chat, kept between its commands and deleted with it', async () => {
    const before = new Set(await readdir(tmpdir()));
    await run('echo kept > /tmp/note.txt; echo more > "$TMPDIR/other.txt"');
    expect(await run('cat /tmp/note.txt')).toBe('kept');
    await expect(bench.output('run_command', { command: 'cat /tmp/note.txt' }, { chatId: 'chat_2' })).rejects.toThrow('No such file');
    const made = (await readdir(tmpdir())).filter((name) => name.startsWith('app-commands-') && !before.has(name));
    expect(made.length).toBeGreaterThanOrEqual(2);
    await bench.kernel.close();
    const left = await Promise.all(made.map((name) => readdir(join(tmpdir(), name)).catch(() => [])));
    expect(left.flat()).not.toContain('note.txt');
  });

  test('an exit code and a signal come through', async () => {
    expect(await fail('exit 129')).toContain('exit code 129');
    expect(await fail('kill -SEGV $$')).toContain('was ended by SIGSEGV');
  });
});

describe.skipIf(whyNot !== undefined)(`network ${title}`, () => {
  let server: Server;
  let ask: string;
  beforeEach(async () => {
    server = createServer((_, reply) => reply.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    ask = `node -e "fetch('http://127.0.0.1:${port}').then((r) => r.text()).then(console.log, (e) => { console.error(e.cause.code); process.exit(1); })"`;
  });
  afterEach(() => void server.close());

  test('is not there, not even that of this machine, and the model learns how to ask for it', async () => {
    expect(await fail(ask)).toContain('ECONNREFUSED\nIt ran without network. Where it needs the network, give network: true.');
  });

  test('is there where it was asked for', async () => {
    expect(await run(ask, { network: true })).toBe('reached');
  });
});
