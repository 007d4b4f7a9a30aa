import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { startCli } from './cli-kernel.ts';
import { answerWith, chatId, end, say } from './fake-server.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const cli = useEach(() => startCli());
beforeEach(async () => {
  answerWith(cli.server, say('Yes.'), end());
});

function listChats(...roots: string[]): void {
  const chats = roots.map((workspaceRoot, index) => ({
    ...{ chatId: `chat_0${index}`, title: `In ${workspaceRoot}`, workspaceRoot },
    updatedAt: `2026-01-0${9 - index}T00:00:00.000Z`,
  }));
  cli.server.on('GET /api/chats', () => ({ body: { chats, activeChatId: 'chat_00' } }));
}
const messages = (): any[] =>
  cli.server.calls.flatMap((call) => (call.startsWith('POST /api/message ') ? [JSON.parse(call.slice('POST /api/message '.length))] : []));

test('run starts a new chat unless -c continues one', async () => {
  const here = await realpath(cli.home);
  listChats('/elsewhere', here);
  const { stderr } = await cli.run(['run', 'hello']);
  expect(stderr).toBe(`New chat in ${here} (${chatId})\n`);
  await cli.run(['run', '-c', 'hello']);
  expect(messages()).toMatchObject([{ chatId }, { chatId: 'chat_01' }]);
  expect(await cli.run(['run', '-c', '-n', 'hello'])).toMatchObject({ code: 2 });
});

test('--continue uses the newest chat of the folder, not the active chat', async () => {
  const here = await realpath(cli.home);
  listChats('/elsewhere', here, here);
  await cli.run(['run', '--continue', 'hello']);
  expect(messages()).toMatchObject([{ chatId: 'chat_01', text: 'hello' }]);
  expect(cli.server.calls.filter((call) => call.startsWith('POST /api/chats'))).toEqual([]);
});

test('neither continues nor lists a chat without messages', async () => {
  const here = await realpath(cli.home);
  const chat = { workspaceRoot: here, busy: false, pinned: false, archived: false, tags: [] };
  const chats = [
    { ...chat, chatId: 'chat_00', title: 'New chat', turns: 0, updatedAt: '2026-01-02T00:00:00.000Z' },
    { ...chat, chatId: 'chat_01', title: 'Used', turns: 1, updatedAt: '2026-01-01T00:00:00.000Z' },
  ];
  cli.server.on('GET /api/chats', () => ({ body: { chats, activeChatId: null } }));
  await cli.run(['run', '-c', 'hello']);
  expect(messages()).toMatchObject([{ chatId: 'chat_01' }]);
  expect((await cli.run(['chats'])).stdout).toMatch(/^ +chat_01 [^\n]* Used\n$/);
});

test('-c ignores pinning when it selects the newest chat', async () => {
  const here = await realpath(cli.home);
  const chat = { title: 'A', workspaceRoot: here };
  const chats = [
    { ...chat, chatId: 'chat_00', pinned: true, updatedAt: '2026-01-01T00:00:00.000Z' },
    { ...chat, chatId: 'chat_01', updatedAt: '2026-01-02T00:00:00.000Z' },
  ];
  cli.server.on('GET /api/chats', () => ({ body: { chats, activeChatId: null } }));
  await cli.run(['run', '-c', 'hello']);
  expect(messages()).toMatchObject([{ chatId: 'chat_01' }]);
});

test('creates a chat for a folder without one, and does not activate it while another chat is active', async () => {
  const here = await realpath(cli.home);
  listChats('/elsewhere');
  await cli.run(['run', 'hello']);
  expect(cli.server.calls).toContain(`POST /api/chats ${JSON.stringify({ workspaceMode: 'folder', workspaceRoot: here, activate: false })}`);
  expect(messages()).toMatchObject([{ chatId }]);
});

test('--effort sets the effort of the chat, default resets it, and an unknown value is rejected before sending', async () => {
  cli.server.on(`PATCH /api/chats/${chatId}`, () => ({ body: {} }));
  for (const value of ['high', 'default']) expect(await cli.run(['run', '--effort', value, 'hello']), value).toMatchObject({ code: 0 });
  expect(cli.server.calls.filter((call) => call.startsWith('PATCH'))).toEqual([
    `PATCH /api/chats/${chatId} {"effort":"high"}`,
    `PATCH /api/chats/${chatId} {"effort":null}`,
  ]);
  const before = cli.server.calls.length;
  const refused = await cli.run(['run', '--effort', 'huge', 'hello']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("'huge'; use one of off, low, medium, high, max, default") });
  expect(cli.server.calls).toHaveLength(before);
});

test('--folder selects another folder, --new starts a chat and --model sets the model of the chat', async () => {
  const other = join(await realpath(cli.home), 'other');
  await mkdir(other);
  listChats(other);
  cli.server.on('PATCH /api/chats/chat_00', () => ({ body: {} }));
  await cli.run(['run', '-c', '--folder', 'other', '--model', 'small/one', 'hello']);
  expect(messages()).toMatchObject([{ chatId: 'chat_00' }]);
  expect(cli.server.calls).toContain('PATCH /api/chats/chat_00 {"model":"small/one"}');
  await cli.run(['run', '-f', other, '--new', 'again']);
  expect(messages()[1]).toMatchObject({ chatId });
});

test('chat starts a new chat, continues the newest with -c and lists earlier ones with -r', async () => {
  const here = await realpath(cli.home);
  listChats('/elsewhere', here);
  const person = { input: ['/exit'], isPerson: true, isTerminal: true };
  expect((await cli.run(['chat'], person)).stdout).toContain(`New chat in ${here}`);
  expect((await cli.run(['chat', '-c'], person)).stdout).toContain(`In ${here} in ${here}`);
  expect((await cli.run(['chat', '-r'], person)).stdout).toBe(`chat_01  In ${here}\n`);
  expect(await cli.run(['chat', '-r', '-n'], person)).toMatchObject({ code: 2 });
});

test.each(['run', 'chat'])('%s rejects --chat together with --new', async (name) => {
  expect(await cli.run([name, '--chat', chatId, '--new', 'x'].filter((word) => name === 'run' || word !== 'x'))).toMatchObject({ code: 2 });
  expect(messages()).toEqual([]);
});
