import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProgram, main, type Program } from '../../helpers/cli-program.ts';
import { testWith } from '../../helpers/programs-needed.ts';

let program: Program;
beforeEach(async () => {
  program = await createProgram();
});
afterEach(() => program.clean());

describe('the program', () => {
  test('says its version and lists its commands', async () => {
    expect(await program.run(['--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
    const { stdout } = await program.run(['--help']);
    for (const name of ['serve', 'chat', 'run', 'chats', 'settings', 'plugins', 'doctor', 'audit', 'token', 'login', 'logout', 'account']) {
      expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    }
    expect(await program.run(['srve'])).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean 'serve'?") });
  });

  test('finds a fresh installation in order', async () => {
    const doctor = await program.run(['doctor']);
    expect(doctor.stdout).not.toContain('wrong');
    expect(doctor.code).toBe(0);
    const audit = await program.run(['audit']);
    expect(audit.stdout).not.toContain('wrong');
    expect(audit.code).toBe(0);
    expect((await stat(program.home)).mode & 0o777).toBe(0o700);
  });

  test('lists plugins, and none failed', async () => {
    const { stdout } = await program.run(['plugins', '--json']);
    const rows: { name: string; state: string }[] = JSON.parse(stdout);
    expect(rows.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(rows.map(({ name }) => name)).toContain('cli');
  });

  test('keeps settings from one start to the next', async () => {
    expect(await program.run(['settings', 'set', 'AGENT_MODEL=some/model'])).toMatchObject({ code: 0, stdout: 'AGENT_MODEL is saved.\n' });
    expect((await program.run(['settings', 'get', 'AGENT_MODEL'])).stdout).toBe('some/model\n');
    await program.run(['settings', 'unset', 'AGENT_MODEL']);
    expect((await program.run(['settings', 'get', 'AGENT_MODEL'])).stdout).not.toBe('some/model\n');
    expect((await program.run(['settings', 'set', 'AGENT_NOTHING=1'])).code).toBe(1);
  });
});

describe('a server', () => {
  test('starts, is found by other commands, and ends cleanly', async () => {
    const server = program.start(['serve', '--port', '0']);
    const [, url] = await server.until(/is ready at (http:\/\/127\.0\.0\.1:\d+)\n/);
    await server.until(/demo model/);
    expect((await fetch(`${url}/api/status`)).status).toBe(401);

    expect((await program.run(['doctor'])).stdout).toContain(`The server runs at ${url}`);
    expect(await program.run(['serve'])).toMatchObject({ code: 1, stderr: expect.stringContaining('CLI_ERR_ALREADY_RUNNING') });
    expect(await program.run([])).toMatchObject({ code: 0, stdout: expect.stringContaining(`runs at ${url}`) });
    const answer = await program.run(['run', 'hello']);
    expect(answer.code).toBe(0);
    expect(answer.stdout.trim()).not.toBe('');
    expect((await program.run(['chats'])).stdout).toMatch(/^\* {2}chat_\w{26} {2}1 turn /);

    const before = (await program.run(['token'])).stdout.trim();
    const fresh = (await program.run(['token', 'rotate'])).stdout.trim();
    expect(fresh).not.toBe(before);
    expect((await fetch(`${url}/api/status`, { headers: { authorization: `Bearer ${before}` } })).status).toBe(401);
    expect((await fetch(`${url}/api/status`, { headers: { authorization: `Bearer ${fresh}` } })).status).toBe(200);

    expect(existsSync(join(program.home, 'server.json'))).toBe(true);
    server.child.kill('SIGINT');
    expect((await server.ended).code).toBe(0);
    expect(existsSync(join(program.home, 'server.json'))).toBe(false);
  });

  testWith('script')('opens its page in a terminal with a browser, and says where it is where it runs already', async () => {
    const bin = join(program.home, 'bin');
    await mkdir(bin, { recursive: true });
    const opened = join(program.home, 'opened');
    await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${opened}'\n`, { mode: 0o755 });
    const environment = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, DISPLAY: ':77', MAIN: main };
    const first = program.startProgram('script', ['-qec', `"${process.execPath}" "$MAIN" --port 0`, '/dev/null'], { environment });
    const [, url = ''] = await first.until(/is ready at (http:\/\/127\.0\.0\.1:\d+)/);
    await expect.poll(() => readFile(opened, 'utf8').catch(() => ''), { timeout: 15_000 }).toContain(url);
    expect(await program.startProgram('script', ['-qec', `"${process.execPath}" "$MAIN"`, '/dev/null'], { environment }).ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`runs at ${url}`),
    });
    await expect.poll(() => readFile(opened, 'utf8').then((text) => text.trim().split('\n').length), { timeout: 15_000 }).toBe(2);
  });

  test('says that its port is taken', async () => {
    const server = program.start(['serve', '--port', '0']);
    const [, port = ''] = await server.until(/is ready at http:\/\/127\.0\.0\.1:(\d+)\n/);
    const other = await createProgram();
    expect(await other.run(['serve', '--port', port])).toMatchObject({ code: 1, stderr: expect.stringMatching(/^app: .*\(HTTP_ERR_PORT_IN_USE\)\n$/m) });
    await other.clean();
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });
});

// late: mime
describe('run', () => {
  test('does one turn without a server and prints its events as JSON', async () => {
    await writeFile(join(program.workspace, 'notes.md'), 'The answer is forty-two.');
    const { code, stdout } = await program.run(['run', 'read notes.md', '--json']);
    const events: { kind: string; name?: string; ok?: boolean }[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ kind: 'message_accepted' });
    expect(events).toContainEqual(expect.objectContaining({ kind: 'tool_result', name: 'read_file', ok: true }));
    expect(events.at(-1)).toMatchObject({ kind: 'turn_end', reason: 'done' });
    expect(code).toBe(0);
  });

  test('refuses a command when nobody is there, and runs it with --yes', async () => {
    const file = join(program.workspace, 'made.txt');
    const refused = await program.run(['run', `run \`touch ${file}\``]);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('nobody is at the terminal') });
    expect(existsSync(file)).toBe(false);
    expect((await program.run(['run', '--yes', `run \`touch ${file}\``])).code).toBe(0);
    expect(existsSync(file)).toBe(true);
  });

  test('two folders have two chats, also on one server', async () => {
    const server = program.start(['serve', '--port', '0']);
    await server.until(/is ready at/);
    for (const name of ['one', 'two']) {
      await mkdir(join(program.workspace, name));
      expect(await program.run(['run', `write ${name} to where.txt`], { folder: join(program.workspace, name) })).toMatchObject({ code: 0 });
    }
    for (const name of ['one', 'two']) expect(await readFile(join(program.workspace, name, 'where.txt'), 'utf8')).toContain(name);
    const { chats } = JSON.parse((await program.run(['chats', '--json'])).stdout);
    expect(chats.map((chat: { workspaceRoot: string }) => basename(chat.workspaceRoot)).sort()).toEqual(['one', 'two']);
    // A call that goes on there uses the same chat.
    await program.run(['run', '-c', 'hello'], { folder: join(program.workspace, 'two') });
    expect(JSON.parse((await program.run(['chats', '--json'])).stdout).chats).toHaveLength(2);
  });

  test('sends what is piped in along with the text', async () => {
    const { code, stdout } = await program.shell('printf "first line\\nERROR 42\\n" | "$NODE" "$MAIN" run --json explain');
    expect(code).toBe(0);
    const [accepted] = stdout.split('\n', 1).map((line) => JSON.parse(line));
    expect(accepted.text).toMatch(/^explain\n\n[^]*first line\nERROR 42/);
  });

  test('takes what is piped in for the text where there is none, and says on the side which chat it is', async () => {
    const { code, stdout, stderr } = await program.shell('printf "write hello to piped.txt\n" | "$NODE" "$MAIN" run --json');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^New chat in \S+ \(chat_\w{26}\)\n/);
    for (const line of stdout.trim().split('\n')) JSON.parse(line);
    expect(await readFile(join(program.workspace, 'piped.txt'), 'utf8')).toContain('hello');
  });

  test('sends a file along, with its type', async () => {
    await writeFile(join(program.workspace, 'note.css'), 'a { color: red }');
    const { stdout } = await program.run(['run', '--json', 'look', '--attach', 'note.css']);
    expect(JSON.parse(stdout.split('\n', 1)[0] ?? '').attachments).toMatchObject([{ name: 'note.css', mimeType: 'text/css' }]);
  });

  test('Ctrl-C ends the turn and the program, with a code of its own', async () => {
    const running = program.start(['run', '--yes', '--json', 'run `sleep 60`']);
    await running.until(/"kind":"tool_start"[^\n]*sleep 60/);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ kind: 'turn_end', reason: 'aborted' });
  });

  test.each(['run hello', 'doctor', 'chats --json', 'plugins'])('%s ends quietly when nobody reads its output', async (line) => {
    const { stderr } = await program.shell(`"$NODE" "$MAIN" ${line} | head -c 1 >/dev/null`);
    expect(stderr).not.toMatch(/EPIPE|at .*\.mjs/);
  });

  test('answers a slash command without a model', async () => {
    expect(await program.run(['run', '/help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('/help [command]:') });
  });
});

describe('chat', () => {
  test('answers what is piped in and leaves', async () => {
    const { code, stdout } = await program.run(['chat'], { input: 'write hello to a.txt\n/help\n' });
    expect(code).toBe(0);
    expect(stdout).toContain('Tool write_file begins: a.txt');
    expect(stdout).toContain('/help [command]:');
    expect(await readFile(join(program.workspace, 'a.txt'), 'utf8')).toContain('hello');
  });

  test('leaves at Ctrl-C when nothing runs, and at /exit though the input stays open', async () => {
    const first = program.start(['chat']);
    first.type('/help');
    await first.until(/- \/help/);
    first.child.kill('SIGINT');
    expect((await first.ended).code).toBe(0);
    const second = program.start(['chat']);
    second.type('/exit');
    expect((await second.ended).code).toBe(0);
  });
});
