import { beforeEach, describe, expect, test } from 'vitest';
import { startCli } from './cli-kernel.ts';
import { chatId } from './fake-server.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const cli = useEach(() => startCli());

const meta = {
  chatId,
  title: 'First',
  workspaceMode: 'scratch',
  workspaceRoot: '/work',
  createdAt: '2026-01-01T10:00:00.000Z',
  updatedAt: '2026-01-02T10:00:00.000Z',
  busy: true,
  turns: 1,
  mode: 'ask',
  pinned: false,
  archived: false,
  tags: [] as string[],
};
const field = {
  key: 'AGENT_MODEL',
  tab: 'models_api',
  group: 'models',
  label: 'Model',
  description: 'The model.',
  kind: 'string',
  default: 'a',
  value: 'b',
  source: 'preferences',
  locked: false,
  sensitive: false,
  restart: false,
};

test.each(['chats', 'persona', 'plugins', 'settings'])('%s rejects an unknown action and lists all its actions', async (command) => {
  const [usage = ''] = /\[(.*)\]/.exec((await cli.run([command, '--help'])).stdout) ?? [];
  const actions = usage
    .replace(/^\[/, '')
    .split('|')
    .flatMap((one) => /[a-z]+/.exec(one) ?? []);
  const { code, stderr } = await cli.run([command, 'nosuch']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`'${command}' has no action 'nosuch'; use `) });
  const listed: readonly string[] = stderr.split('; use ')[1]?.match(/[a-z]+/g) ?? [];
  expect(actions.filter((action) => !listed.includes(action))).toEqual([]);
});

describe('chats', () => {
  test('lists the chats and marks the active one', async () => {
    cli.server.on('GET /api/chats', () => ({
      body: { chats: [meta, { ...meta, chatId: 'chat_2', turns: 12, busy: false, title: 'Second' }], activeChatId: chatId, orphanIds: [], residentChatIds: [] },
    }));
    expect((await cli.run(['chats'])).stdout).toBe(
      `*  ${chatId}  1 turn    2026-01-02 10:00  First (busy)\n   ${'chat_2'.padEnd(chatId.length)}  12 turns  2026-01-02 10:00  Second\n`,
    );
    expect(JSON.parse((await cli.run(['chats', 'list', '--json'])).stdout).activeChatId).toBe(chatId);
  });

  test('show prints the transcript', async () => {
    cli.server.on(`GET /api/chats/${chatId}`, () => ({ body: meta }));
    const entries = [
      { id: '1', kind: 'user', at: '', text: 'List the files' },
      { id: '2', kind: 'tool', at: '', name: 'list_dir', args: { path: '.' }, ok: true, output: 'a\nb' },
      { id: '3', kind: 'assistant', at: '', text: 'There are two.\u001b[2J' },
    ];
    cli.server.on(`GET /api/chats/${chatId}/transcript`, () => ({ body: { entries, cursor: 'more' } }));
    const { stdout } = await cli.run(['chats', 'show', chatId]);
    expect(stdout).toContain('workspace  /work (scratch)\n');
    expect(stdout).toContain('… earlier entries are left out\n\nuser: List the files\n\ntool: list_dir . a b\n\nassistant: There are two.[2J\n');
  });

  test('pins, tags and changes the mode of a chat, and lists archived ones', async () => {
    const sent: unknown[] = [];
    cli.server.on(`PATCH /api/chats/${chatId}`, ({ body }) => {
      sent.push(body);
      return { body: { ...meta, ...body } };
    });
    expect((await cli.run(['chats', 'pin', chatId])).stdout).toContain('Pinned');
    expect((await cli.run(['chats', 'mode', chatId, 'careful'])).stdout).toBe('The mode is careful.\n');
    expect((await cli.run(['chats', 'tag', chatId, 'work', 'a b'])).stdout).toBe('Tags: work, a b.\n');
    expect((await cli.run(['chats', 'tag', chatId])).stdout).toBe('It has no tags.\n');
    expect(sent).toEqual([{ pinned: true }, { mode: 'careful' }, { tags: ['work', 'a b'] }, { tags: [] }]);
    cli.server.on('GET /api/chats', () => ({ body: { chats: [{ ...meta, busy: false, archived: true, tags: ['x'] }], activeChatId: null } }));
    expect((await cli.run(['chats', 'list', '--archived'])).stdout).toContain('First (archived, #x)');
  });

  test('lists and restores chats in the trash, and erases them only with --yes', async () => {
    const trashed = { chatId, title: 'Old', workspaceRoot: '/work', turns: 2, deletedAt: '2026-01-02T10:00:00.000Z', daysLeft: 1 };
    const erased: string[] = [];
    cli.server.on('GET /api/chats/trash', () => ({ body: { chats: [trashed] } }));
    cli.server.on(`POST /api/chats/trash/${chatId}/restore`, () => ({ body: { ...meta, title: 'Old' } }));
    cli.server.on(`DELETE /api/chats/trash/${chatId}`, () => {
      erased.push(chatId);
      return { body: { ok: true } };
    });
    expect((await cli.run(['chats', 'trash'])).stdout).toBe(`${chatId}  2026-01-02 10:00  1 day left  Old\n`);
    expect((await cli.run(['chats', 'restore', chatId])).stdout).toBe('“Old” was restored.\n');
    expect(await cli.run(['chats', 'erase', chatId])).toMatchObject({ code: 3, stderr: expect.stringContaining('--yes') });
    expect(erased).toEqual([]);
    expect((await cli.run(['chats', 'erase', chatId, '--yes'])).stdout).toBe('Erased.\n');
    expect(erased).toEqual([chatId]);
  });

  test('deletes a chat and reports an unknown one', async () => {
    cli.server.on(`DELETE /api/chats/${chatId}`, () => ({ body: { ok: true, newActiveId: null } }));
    expect(await cli.run(['chats', 'delete', chatId])).toMatchObject({ code: 0, stdout: expect.stringContaining('Deleted.') });
    expect(await cli.run(['chats', 'delete', 'chat_none'])).toMatchObject({ code: 1, stderr: expect.stringContaining('(not_found)') });
  });
});

const misuses = ['show', 'rename x', 'list x', 'show a b', 'mode a', 'trash a', 'pin'].map((args) => `chats ${args}`);
const settingsMisuses = ['get', 'set', 'set KEY', 'set =1', 'unset', 'list x', 'change x'].map((args) => `settings ${args}`);
test.each([...misuses, ...settingsMisuses, 'token forget'])('rejects the command line %j', async (line) => {
  expect((await cli.run(line.split(' '))).code).toBe(2);
});

describe('settings', () => {
  beforeEach(() => {
    const secret = { ...field, key: 'AGENT_API_KEY', sensitive: true, value: null };
    const locked = { ...field, key: 'PORT', tab: 'advanced', value: 3001, source: 'environment', locked: true };
    cli.server.on('GET /api/settings', () => ({
      body: { tabs: [{ id: 'models_api', title: 'Models & API' }], fields: [field, secret, locked], provider: {} },
    }));
  });

  test('lists settings by tab with value and source', async () => {
    const { stdout } = await cli.run(['settings']);
    expect(stdout).toBe(
      'Models & API\n  AGENT_MODEL    b              saved\n  AGENT_API_KEY  (never shown)  saved\n\nadvanced\n  PORT  3001  from the environment, locked\n\n',
    );
  });

  test('get prints one value', async () => {
    expect(await cli.run(['settings', 'get', 'AGENT_MODEL'])).toMatchObject({ code: 0, stdout: 'b\n' });
    expect(await cli.run(['settings', 'get', 'NOTHING'])).toMatchObject({
      code: 1,
      stderr: "There is no setting 'NOTHING'; 'settings list' shows them all.\n",
    });
  });

  test('sets and unsets values, and names settings that need a restart', async () => {
    await cli.runServer();
    cli.server.on('PUT /api/settings', ({ body }) => ({ body: { ok: true, applied: Object.keys(body.harness.env), restartNeeded: ['PORT'] } }));
    const { stdout } = await cli.run(['settings', 'set', 'AGENT_MODEL=x=y', 'PORT=4000']);
    expect(stdout).toBe('AGENT_MODEL is saved.\nPORT is saved. It takes effect at the next start of the server.\n');
    expect((await cli.run(['settings', 'unset', 'AGENT_MODEL'])).stdout).toBe('AGENT_MODEL is reset to its default.\n');
    expect(cli.server.calls).toEqual([
      'PUT /api/settings {"harness":{"env":{"AGENT_MODEL":"x=y","PORT":"4000"}},"whenBusy":"queue"}',
      'PUT /api/settings {"harness":{"env":{"AGENT_MODEL":null}},"whenBusy":"queue"}',
    ]);
  });

  test('prints the reason when the server refuses a value', async () => {
    cli.server.on('PUT /api/settings', () => ({ status: 422, body: { error: { code: 'setting_unknown', message: "There is no setting 'X'." } } }));
    expect(await cli.run(['settings', 'set', 'X=1'])).toMatchObject({ code: 1, stderr: "app: There is no setting 'X'. (setting_unknown)\n" });
  });
});

describe('plugins', () => {
  test('lists the plugins of this process, or those of the running server', async () => {
    const here = await cli.run(['plugins']);
    expect(here.stdout).toMatch(/^NAME +ORIGIN +STATE +REASON\n/);
    expect(here.stdout).toMatch(/^cli +builtin +active$/m);
    await cli.runServer();
    cli.server.on('GET /api/plugins', () => ({
      body: { plugins: [{ name: 'voice', origin: 'user', state: 'failed', reason: 'It broke.', bootMs: 1, adds: [] }] },
    }));
    expect((await cli.run(['plugins'])).stdout).toBe('NAME   ORIGIN  STATE   REASON\nvoice  user    failed  It broke.\n');
    expect(JSON.parse((await cli.run(['plugins', '--json'])).stdout)).toHaveLength(1);
  });
});

describe('token', () => {
  test('prints the token, and rotates it in this process when no server is running', async () => {
    expect((await cli.run(['token'])).stdout).toBe(`${cli.server.token}\n`);
    expect((await cli.run(['token', 'rotate'])).stdout).toBe('fresh-token\n');
  });

  test('rotates the token through the running server', async () => {
    await cli.runServer();
    cli.server.on('POST /api/token/rotate', () => ({ body: { token: 'from-the-server' } }));
    expect((await cli.run(['token', 'rotate'])).stdout).toBe('from-the-server\n');
  });

  test('POST /api/token/rotate returns the new token', async () => {
    expect(await cli.routes.get('POST /api/token/rotate')?.handle({ body: {} } as never)).toEqual({ token: 'fresh-token' });
  });
});
