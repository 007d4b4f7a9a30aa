// Tests the words and ids that the shell completion offers.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCommandLine } from '../../../helpers/command-line.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const program = useEach(() => createCommandLine({ sharesStart: true }));

const words = async (...typed: string[]): Promise<string[]> => {
  const { stdout } = await program.run(['completion', 'words', '--', ...typed]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t', 1)[0] ?? '');
};

test('reads words from command declarations, including those of user plugins', async () => {
  await mkdir(join(program.home, 'plugins'), { recursive: true, mode: 0o700 });
  const command = "{ name: 'greet', summary: 'Greets.', usage: '[loudly | softly <who>]', values: { who: ['ada', 'bob'] }, run: async () => 0 }";
  await writeFile(join(program.home, 'plugins/greeter.mjs'), `export function register(registry) { registry.add('cli_command', ${command}); }\n`, {
    mode: 0o600,
  });
  expect(await words('gr')).toEqual(['greet']);
  expect(await words('greet', '')).toEqual(['loudly', 'softly']);
  expect(await words('greet', 'softly', 'a')).toEqual(['ada']);
  expect(await words('run', '--at')).toEqual(['--attach']);
  expect(await words('run', '--attach', '')).toEqual([':file']);
  expect(await words('run', '--effort', 'm')).toEqual(['medium', 'max']);
  expect(await words('run', '--folder', '')).toEqual([':folder']);
  expect(await words('pair', '--role=v')).toEqual(['--role=view']);
  expect(await words('run', '-y', '--json', '--jso')).toEqual(['']);
  expect(await words('settings', '')).toEqual(['list', 'get', 'set', 'unset']);
});

test('reads ids from the running server and does not start one', async () => {
  expect(await words('chats', 'show', '')).toEqual(['']);
  const server = await program.serve();
  const { chatId } = (await server.call('POST', '/api/chats', {})).body;
  expect(await words('chats', 'show', 'chat_')).toEqual([chatId]);
  expect(await words('chats', 'restore', '')).toEqual(['']);
  expect(await words('run', '--chat', chatId.slice(0, 8))).toEqual([chatId]);
  expect(await words('settings', 'get', 'AGENT_MAX')).toContain('AGENT_MAX_ROUNDS');
});
