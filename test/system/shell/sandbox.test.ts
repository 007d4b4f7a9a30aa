import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as files from '../../../builtins/tools/files/index.ts';
import * as shell from '../../../builtins/tools/shell/index.ts';
import { openToolBench, type ToolBench } from '../../unit/builtins/files/tool-bench.ts';
import { title, whyNot } from '../../unit/builtins/shell/sandbox-tests.ts';

let bench: ToolBench;
let person: string;
let realHome: string | undefined;
const run = (command: string, more: object = {}): Promise<string> => bench.output('run_command', { command, ...more });
const fail = (command: string, more: object = {}): Promise<string> => bench.error('run_command', { command, ...more });

/** Prefers a folder outside temporary folders, because a sandboxed command has its own. The project, the home folder or both may lie in one. */
async function makePerson(): Promise<string> {
  for (const place of [join(process.cwd(), 'node_modules'), homedir(), '/var/lib', '/opt', '/srv']) {
    const real = await realpath(place).catch(() => '/tmp');
    if (['/tmp', '/var/tmp'].some((folder) => real === folder || real.startsWith(`${folder}/`))) continue;
    const made = await mkdtemp(join(real, '.sandbox-test-')).catch(() => undefined);
    if (made !== undefined) return made;
  }
  return realpath(await mkdtemp(join(tmpdir(), '.sandbox-test-')));
}

beforeEach(async () => {
  person = await makePerson();
  realHome = process.env['HOME'];
  process.env['HOME'] = person;
  bench = await openToolBench({ modules: { shell, files }, environment: { AGENT_SANDBOX: 'require' } });
});
afterEach(async () => {
  process.env['HOME'] = realHome;
  expect(await bench.close()).toEqual([]);
  await rm(person, { recursive: true, force: true });
});

describe.skipIf(whyNot !== undefined)(title, () => {
  test('writes to the workspace outside the sandbox', async () => {
    expect(await run('printf made > made.txt; pwd')).toBe(bench.workspace);
    expect(await readFile(join(bench.workspace, 'made.txt'), 'utf8')).toBe('made');
  });

  test('rejects writes elsewhere and returns the reason', async () => {
    const outside = join(person, 'outside.txt');
    const why = await fail(`echo x > ${outside}`);
    // If all candidates lie in a temporary folder, the path does not exist in the sandbox.
    if (!person.startsWith(await realpath(tmpdir()))) expect(why).toContain('Its sandbox can write only to the workspace and /tmp.');
    await symlink(person, join(bench.workspace, 'link'));
    await fail('echo x > link/outside.txt');
    await fail('echo x > /etc/made-by-a-test');
    await fail('mount -o remount,rw / || umount -l /proc');
    expect(await readdir(person)).toEqual([]);
    await expect(stat('/etc/made-by-a-test')).rejects.toThrow('ENOENT');
  });

  test('hides secrets of the product and the user', async () => {
    await writeFile(join(person, '.netrc'), 's3cret');
    await mkdir(join(person, '.ssh'));
    await writeFile(join(person, '.ssh', 'id_ed25519'), 's3cret');
    await mkdir(join(person, '.app'));
    await writeFile(join(person, '.app', 'web_token'), 's3cret');
    await bench.close();
    const product = { name: 'app', title: 'App', version: '0', home: join(person, '.app'), startFolder: person };
    bench = await openToolBench({ modules: { shell, files }, services: { product }, environment: { AGENT_SANDBOX: 'require' } });
    const seen = await run(`cat ${person}/.netrc && echo empty; ls -A ${person}/.ssh ${person}/.app; cat ${person}/.app/web_token || ls ${person} -A`);
    expect(seen).not.toContain('s3cret');
    expect(seen).not.toContain('id_ed25519');
    expect(seen).toMatch(/^empty\n/);
    expect(seen).toContain('.netrc');
    await fail(`touch ${person}/.app/x`);
    // The workspace of a chat may lie in the home folder of the product, or contain it.
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

  test('hides credentials and histories of user programs, also at configured locations', async () => {
    const places = [
      '.config/op/x',
      '.config/rclone/rclone.conf',
      '.m2/settings.xml',
      '.gradle/gradle.properties',
      '.terraform.d/credentials',
      '.claude/x',
      '.codex/auth.json',
    ];
    places.push(
      '.local/share/opencode/auth.json',
      '.bash_history',
      '.zsh_history',
      '.local/share/fish/fish_history',
      'moved/rclone/rclone.conf',
      'elsewhere/key.json',
    );
    for (const place of [...places, '.m2/repository/a.jar']) {
      await mkdir(dirname(join(person, place)), { recursive: true });
      await writeFile(join(person, place), 's3cret');
    }
    Object.assign(process.env, { XDG_CONFIG_HOME: join(person, 'moved'), GOOGLE_APPLICATION_CREDENTIALS: join(person, 'elsewhere/key.json') });
    try {
      const seen = await run(`${places.map((place) => `cat '${person}/${place}'`).join('; ')}; cat '${person}/.m2/repository/a.jar' | tr s S`);
      expect(seen).not.toContain('s3cret');
      expect(seen).toContain('S3cret');
    } finally {
      delete process.env['XDG_CONFIG_HOME'];
      delete process.env['GOOGLE_APPLICATION_CREDENTIALS'];
    }
  });

  test('blocks sockets outside the workspace, with and without network', async () => {
    const socket = join(person, 'service.sock');
    const server = createNetServer((connection) => connection.end('reached'));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const ask = (path: string): string =>
      `node -e "require('net').connect('${path}').on('data', (text) => console.log(String(text))).on('error', (fault) => { console.log(fault.code); process.exit(1); })"`;
    try {
      for (const network of [false, true]) expect(await fail(ask(socket), { network })).not.toContain('reached');
      const own = createNetServer((connection) => connection.end('reached')).listen(join(bench.workspace, 'own.sock'));
      expect(await run(ask('own.sock'))).toBe('reached');
      own.close();
    } finally {
      server.close();
    }
  });

  test('rejects commands in the product’s own folder', async () => {
    expect(await bench.error('run_command', { command: 'cat web_token' }, { workspaceRoot: bench.home })).toContain("is this program's own folder");
  });

  test('hides and protects other processes', async () => {
    expect(Number(await run('ls -d /proc/[0-9]* | wc -l'))).toBeLessThan(8);
    await fail(`kill -9 ${process.pid}`);
  });

  test('keeps /tmp private to the chat and deletes it with the chat', async () => {
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

  test('returns exit codes and signals', async () => {
    expect(await fail('exit 129')).toContain('exited with code 129');
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

  test('blocks the network including localhost, and returns a hint', async () => {
    expect(await fail(ask)).toContain('ECONNREFUSED\nIt ran without network. If it needs the network, pass network: true.');
  });

  test('allows the network with network: true', async () => {
    expect(await run(ask, { network: true })).toBe('reached');
  });
});
