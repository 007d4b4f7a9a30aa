import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { startCli } from './cli-kernel.ts';
import { answerMessages, chatId, end, say } from './fake-server.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const cli = useEach(() => startCli());
beforeEach(async () => {
  answerMessages(cli.server, ({ emit }) => [say('Yes.'), end()].forEach(emit));
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

test('one thing is a chat of its own, unless it goes on with another', async () => {
  const here = await realpath(cli.home);
  listChats('/elsewhere', here);
  const { stderr } = await cli.run(['run', 'hello']);
  expect(stderr).toBe(`New chat in ${here} (${chatId})\n`);
  await cli.run(['run', '-c', 'hello']);
  expect(messages()).toMatchObject([{ chatId }, { chatId: 'chat_01' }]);
  expect(await cli.run(['run', '-c', '-n', 'hello'])).toMatchObject({ code: 2 });
});

test('with --continue the newest chat of the folder goes on, not the one that a page shows', async () => {
  const here = await realpath(cli.home);
  listChats('/elsewhere', here, here);
  await cli.run(['run', '--continue', 'hello']);
  expect(messages()).toMatchObject([{ chatId: 'chat_01', text: 'hello' }]);
  expect(cli.server.calls.filter((call) => call.startsWith('POST /api/chats'))).toEqual([]);
});

test('a chat that was opened and left without a message is neither continued nor listed', async () => {
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

test('a pinned chat stands first in the list and is not the newest for that', async () => {
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

test('a folder without a chat gets one, which becomes the active one only where there is none', async () => {
  const here = await realpath(cli.home);
  listChats('/elsewhere');
  await cli.run(['run', 'hello']);
  expect(cli.server.calls).toContain(`POST /api/chats ${JSON.stringify({ workspaceMode: 'folder', workspaceRoot: here, activate: false })}`);
  expect(messages()).toMatchObject([{ chatId }]);
});

test('--effort changes the chat, with default it restores the setting, and an unknown value is rejected before anything is sent', async () => {
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

test('--folder names another folder, --new begins another chat, --model is the model of the chat', async () => {
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

test('a conversation begins a new chat, continues the newest with -c, and lists the earlier ones with -r', async () => {
  const here = await realpath(cli.home);
  listChats('/elsewhere', here);
  const person = { input: ['/exit'], isPerson: true, isTerminal: true };
  expect((await cli.run(['chat'], person)).stdout).toContain(`New chat in ${here}`);
  expect((await cli.run(['chat', '-c'], person)).stdout).toContain(`In ${here} in ${here}`);
  expect((await cli.run(['chat', '-r'], person)).stdout).toBe(`chat_01  In ${here}\n`);
  expect(await cli.run(['chat', '-r', '-n'], person)).toMatchObject({ code: 2 });
});

test.each(['run', 'chat'])('%s refuses a chat together with a folder', async (name) => {
  expect(await cli.run([name, '--chat', chatId, '--new', 'x'].filter((word) => name === 'run' || word !== 'x'))).toMatchObject({ code: 2 });
  expect(messages()).toEqual([]);
});
