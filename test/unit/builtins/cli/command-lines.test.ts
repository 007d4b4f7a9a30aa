// Tests command lines of the whole program without a terminal: help, approvals, chats, and turns with and without a server.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCommandLine } from '../../../helpers/command-line.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const program = useEach(() => createCommandLine());

test('prints its version, lists its commands and suggests a similar one', async () => {
  expect(await program.run(['--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
  const { stdout } = await program.run(['--help']);
  for (const name of ['serve', 'chat', 'run', 'chats', 'settings', 'plugins', 'doctor', 'audit', 'token', 'login', 'logout', 'account']) {
    expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  }
  expect(await program.run(['srve'])).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean 'serve'?") });
});

test('denies a command when no user is present, and runs it with --yes', async () => {
  const file = join(program.workspace, 'made.txt');
  const refused = await program.run(['run', `run \`touch ${file}\``]);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('no user is at the terminal') });
  expect(existsSync(file)).toBe(false);
  const exported = await program.run(['chats', 'export', /chat_\w+/.exec(refused.stderr)?.[0] ?? '']);
  expect(exported.stdout).toContain('no user was present');
  expect(exported.stdout).not.toContain('The user rejected');
  expect((await program.run(['run', '--yes', `run \`touch ${file}\``])).code).toBe(0);
  expect(existsSync(file)).toBe(true);
});

test('reads the text from standard input and prints the chat on standard error', async () => {
  const { code, stdout, stderr } = await program.run(['run', '--json'], { input: 'write hello to piped.txt\n' });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^New chat in \S+ \(chat_\w{26}\)\n/);
  for (const line of stdout.trim().split('\n')) JSON.parse(line);
  expect(await readFile(join(program.workspace, 'piped.txt'), 'utf8')).toContain('hello');
});
