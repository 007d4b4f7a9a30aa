// Tests behaviour of the built program as a process: signals, pipes, a terminal, open standard input.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCommandLine } from '../../helpers/command-line.ts';
import { createProgram, main, type Program } from '../../helpers/cli-program.ts';
import { testWith } from '../../helpers/programs-needed.ts';

let program: Program;
beforeEach(async () => {
  program = await createProgram();
});
afterEach(() => program.clean());

describe('server', () => {
  test('starts, is found by other commands, rotates its token and ends cleanly', async () => {
    const server = program.start(['serve', '--port', '0']);
    const [, url] = await server.until(/is ready at (http:\/\/127\.0\.0\.1:\d+)\n/);
    await server.until(/demo model/);
    expect((await fetch(`${url}/api/status`)).status).toBe(401);

    const commands = await createCommandLine({ builtins: ['cli'], folders: program });
    expect((await commands.run(['doctor'])).stdout).toContain(`The server runs at ${url}`);
    expect(await commands.run(['serve'])).toMatchObject({ code: 1, stderr: expect.stringContaining('CLI_ERR_ALREADY_RUNNING') });
    expect(await commands.run([])).toMatchObject({ code: 0, stdout: expect.stringContaining(`runs at ${url}`) });
    const answer = await program.run(['run', 'hello']);
    expect(answer.code).toBe(0);
    expect(answer.stdout.trim()).not.toBe('');
    expect((await commands.run(['chats'])).stdout).toMatch(/^\* {2}chat_\w{26} {2}1 turn /);

    const before = (await commands.run(['token'])).stdout.trim();
    const fresh = (await commands.run(['token', 'rotate'])).stdout.trim();
    expect(fresh).not.toBe(before);
    expect((await fetch(`${url}/api/status`, { headers: { authorization: `Bearer ${before}` } })).status).toBe(401);
    expect((await fetch(`${url}/api/status`, { headers: { authorization: `Bearer ${fresh}` } })).status).toBe(200);

    expect(existsSync(join(program.home, 'server.json'))).toBe(true);
    server.child.kill('SIGINT');
    expect((await server.ended).code).toBe(0);
    expect(existsSync(join(program.home, 'server.json'))).toBe(false);
  });

  testWith('script')('opens the page in a browser, and prints the address of a running server', async () => {
    const bin = join(program.home, 'bin');
    await mkdir(bin, { recursive: true });
    const opened = join(program.home, 'opened');
    await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${opened}'\n`, { mode: 0o755 });
    const environment = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, DISPLAY: ':77', MAIN: main };
    const first = program.startProgram('script', ['-qec', `"${process.execPath}" "$MAIN" --port 0`, '/dev/null'], { environment });
    const [, url = ''] = await first.until(/is ready at (http:\/\/127\.0\.0\.1:\d+)/);
    await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toContain(url);
    expect(await program.startProgram('script', ['-qec', `"${process.execPath}" "$MAIN"`, '/dev/null'], { environment }).ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`runs at ${url}`),
    });
    await expect.poll(() => readFile(opened, 'utf8').then((text) => text.trim().split('\n').length)).toBe(2);
  });
});

// late: mime
describe('run', () => {
  test('sends piped input with the text, and a file with its media type', async () => {
    await writeFile(join(program.workspace, 'note.css'), 'a { color: red }');
    const { code, stdout } = await program.shell('printf "first line\\nERROR 42\\n" | "$NODE" "$MAIN" run --json explain --attach note.css');
    expect(code).toBe(0);
    const accepted = JSON.parse(stdout.split('\n', 1)[0] ?? '');
    expect(accepted.text).toMatch(/^explain\n\n[^]*first line\nERROR 42/);
    expect(accepted.attachments).toMatchObject([{ name: 'note.css', mimeType: 'text/css' }]);
  });

  test('ends commands quietly when their output is closed', async () => {
    const lines = ['run hello', 'doctor', 'chats --json', 'plugins'].map((line) => `("$NODE" "$MAIN" ${line} | head -c 1 >/dev/null) &`);
    const { stderr } = await program.shell(`${lines.join(' ')} wait`);
    expect(stderr).not.toMatch(/EPIPE|at .*\.mjs/);
  });

  test('ends the turn and the program on Ctrl-C with exit code 130', async () => {
    const running = program.start(['run', '--yes', '--json', 'run `sleep 60`']);
    await running.until(/"kind":"tool_start"[^\n]*sleep 60/);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ kind: 'turn_end', reason: 'aborted' });
  });
});

describe('chat', () => {
  test('exits on Ctrl-C when idle, and on /exit while the input stays open', async () => {
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
