import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { emitTurn, openChats } from './open-chats.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const opened = useEach(() => openChats());

test('loading creates no file in the home folder', async () => {
  expect(await readdir(opened.home)).toEqual([]);
});

test('the first chat is created once, on demand, in the start folder, and becomes active', async () => {
  const [one, two] = await Promise.all([opened.chats.active(), opened.chats.get()]);
  expect(two).toEqual(one);
  expect(one).toMatchObject({ workspaceMode: 'folder', workspaceRoot: await realpath(opened.work), busy: false, turns: 0, title: 'New chat' });
  expect(one.workspaceFingerprint).toBe(`path:${one.workspaceRoot}`);
  expect(opened.chats.activeId).toBe(one.chatId);
  expect(JSON.parse(await readFile(join(opened.home, 'active_chat.json'), 'utf8'))).toEqual({ chatId: one.chatId });
  expect((await stat(join(opened.home, 'chats', one.chatId, 'meta.json'))).mode & 0o777).toBe(0o600);
});

test('AGENT_WORKSPACE_ROOT is the workspace of the first chat', async () => {
  const other = join(opened.work, 'other');
  await mkdir(other);
  const second = await openChats({ environment: { AGENT_WORKSPACE_ROOT: other } });
  expect((await second.chats.active()).workspaceRoot).toBe(await realpath(other));
});

test('a scratch chat gets its own empty folder', async () => {
  const chat = await opened.chats.create({ workspaceMode: 'scratch', title: '  My \n title ' });
  expect(chat.title).toBe('My title');
  expect(chat.workspaceRoot).toBe(await realpath(join(opened.home, 'chats', chat.chatId, 'workspace')));
  expect(await readdir(chat.workspaceRoot)).toEqual([]);
});

test.each([
  ['a relative folder', { workspaceMode: 'folder', workspaceRoot: 'src' }],
  ['a missing folder', { workspaceMode: 'folder', workspaceRoot: '/does/not/exist' }],
  ['a file', { workspaceMode: 'folder', workspaceRoot: '/etc/hosts' }],
  ['folder mode without a folder', { workspaceMode: 'folder' }],
  ['the workspace of an unknown chat', { workspaceMode: 'reuse', workspaceRoot: '/' }],
] as const)('rejects a chat with %s', async (_, wanted) => {
  await expect(opened.chats.create(wanted)).rejects.toMatchObject({ code: 'CHATS_ERR_INVALID_REQUEST', status: 400 });
  expect((await opened.chats.list()).chats).toEqual([]);
});

test('reuse shares the workspace of another chat', async () => {
  const first = await opened.chats.active();
  const second = await opened.chats.create({ workspaceMode: 'reuse', workspaceRoot: opened.work, activate: false });
  expect(second).toMatchObject({ workspaceMode: 'reuse', workspaceRoot: first.workspaceRoot });
  expect(opened.chats.activeId).toBe(first.chatId);
});

test.each([
  ['https://user:pass@GitHub.com/owner/repo.git', 'git:github.com/owner/repo'],
  ['git@gitlab.example.org:group/sub/repo.git', 'git:gitlab.example.org/group/sub/repo'],
  ['ssh://git@host.example:2222/owner/repo', 'git:host.example/owner/repo'],
])('the fingerprint of a clone of %s is %s', async (url, fingerprint) => {
  await mkdir(join(opened.work, '.git'), { recursive: true });
  await writeFile(join(opened.work, '.git', 'config'), `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n\tfetch = x\n`);
  expect((await opened.chats.active()).workspaceFingerprint).toBe(fingerprint);
});

test('a .git/config that is a pipe, endless or huge is ignored without blocking', async () => {
  const path = join(opened.work, '.git', 'config');
  await mkdir(join(opened.work, '.git'));
  const fingerprint = async (): Promise<string> => {
    const chat = await opened.chats.create({ workspaceMode: 'folder', workspaceRoot: opened.work });
    await rm(path);
    return chat.workspaceFingerprint;
  };
  execFileSync('mkfifo', [path]);
  expect(await fingerprint()).toBe(`path:${opened.work}`);
  await symlink('/dev/zero', path);
  expect(await fingerprint()).toBe(`path:${opened.work}`);
  await writeFile(path, `[remote "origin"]\n\turl = git@example.org:a/b\n${'#'.repeat(2_000_000)}`);
  expect(await fingerprint()).toBe(`path:${opened.work}`);
  await rm(join(opened.work, '.git'), { recursive: true });
  execFileSync('mkfifo', [join(opened.work, '.git')]);
  expect((await opened.chats.create({ workspaceMode: 'folder', workspaceRoot: opened.work })).workspaceFingerprint).toBe(`path:${opened.work}`);
});

test('an invalid chat id is rejected before any file access', async () => {
  for (const id of ['../../etc', 'chat_x', '', 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
    await expect(opened.chats.get(id)).rejects.toMatchObject({ code: 'CHATS_ERR_NOT_FOUND', status: 404 });
    await expect(opened.chats.remove(id)).rejects.toMatchObject({ code: 'CHATS_ERR_NOT_FOUND' });
  }
  expect(() => opened.chats.folder('..')).toThrow(expect.objectContaining({ code: 'CHATS_ERR_NOT_FOUND' }));
});

test('chats survive a restart, and a folder without a readable meta.json is an orphan', async () => {
  const first = await opened.chats.active();
  const second = await opened.chats.create({ title: 'Second' });
  const broken = await opened.chats.create({ activate: false });
  await writeFile(join(opened.home, 'chats', broken.chatId, 'meta.json'), '{"chatId":');
  await mkdir(join(opened.home, 'chats', 'not-a-chat'));
  const again = await openChats({ home: opened.home, work: opened.work });
  const list = await again.chats.list();
  expect(list.chats.map((chat) => chat.chatId).sort()).toEqual([first.chatId, second.chatId].sort());
  expect(list).toMatchObject({ orphanIds: [broken.chatId], activeChatId: second.chatId });
  await expect(again.chats.get(broken.chatId)).rejects.toMatchObject({ code: 'CHATS_ERR_NOT_FOUND' });
});

test('the first message titles an untitled chat, and later messages keep the title', async () => {
  const { chatId } = await opened.chats.active();
  const changes: unknown[] = [];
  opened.emitter.on('chat_updated', (change) => changes.push(change));
  await Promise.all([opened.chats.touch(chatId, { turns: 1, title: 'First words' }), opened.chats.touch(chatId, { turns: 2, title: 'Second words' })]);
  expect(await opened.chats.get(chatId)).toMatchObject({ title: 'First words', turns: 2 });
  expect((await opened.chats.change(chatId, { title: 'By hand' })).title).toBe('By hand');
  await expect(opened.chats.change(chatId, { title: ' \u0000 ' })).rejects.toMatchObject({ code: 'CHATS_ERR_INVALID_REQUEST' });
  expect(changes).toEqual([
    { chatId, change: 'renamed', title: 'First words' },
    { chatId, change: 'renamed', title: 'By hand' },
  ]);
});

test('turn counts are written shortly after a turn, at the latest when the plugin closes', async () => {
  const { chatId } = await opened.chats.active();
  const saved = async (): Promise<unknown> => JSON.parse(await readFile(join(opened.home, 'chats', chatId, 'meta.json'), 'utf8'));
  await opened.chats.touch(chatId, { turns: 1 });
  await expect.poll(saved).toMatchObject({ turns: 1 });
  await opened.chats.touch(chatId, { turns: 2 });
  await opened.kernel.close();
  expect(await saved()).toMatchObject({ turns: 2 });
});

test('a deleted chat ends its turn, moves to the trash, and another chat becomes active', async () => {
  const first = await opened.chats.active();
  const second = await opened.chats.create();
  emitTurn(opened, second.chatId, 1);
  await opened.log.flushed(second.chatId);
  const closed: string[] = [];
  opened.emitter.tap('chat.close', (chatId) => void closed.push(chatId));
  expect(await opened.chats.remove(second.chatId)).toEqual({ newActiveId: first.chatId });
  expect(closed).toEqual([second.chatId]);
  emitTurn(opened, second.chatId, 2);
  await expect(opened.log.flushed(second.chatId)).rejects.toMatchObject({ code: 'CHATS_ERR_JOURNAL_UNWRITABLE' });
  expect(await readdir(join(opened.home, 'chats', '.trash', second.chatId))).toEqual(expect.arrayContaining(['meta.json', 'session.jsonl']));
  expect((await opened.chats.list()).chats.map((chat) => chat.chatId)).toEqual([first.chatId]);
  expect(await opened.chats.remove(first.chatId)).toEqual({ newActiveId: null });
  expect(await readdir(join(opened.home, 'chats'))).toEqual(['.trash']);
});

test('a scratch workspace stays in place while another chat uses it', async () => {
  const scratch = await opened.chats.create({ workspaceMode: 'scratch' });
  await writeFile(join(scratch.workspaceRoot, 'kept.txt'), 'kept');
  const user = await opened.chats.create({ workspaceMode: 'reuse', workspaceRoot: scratch.workspaceRoot });
  await opened.chats.remove(scratch.chatId);
  expect(await readFile(join(user.workspaceRoot, 'kept.txt'), 'utf8')).toBe('kept');
  expect((await opened.chats.list()).orphanIds).toEqual([scratch.chatId]);
});

test('chats are purged after 30 days in the trash, and a clock jump counts as at most a week', async () => {
  const { chatId } = await opened.chats.active();
  await opened.chats.remove(chatId);
  const trash = join(opened.home, 'chats', '.trash');
  const ages = (): Promise<any> => readFile(join(trash, 'ages.json'), 'utf8').then(JSON.parse);
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const day = 24 * 60 * 60_000;
    const start = Date.now();
    const jumps = [0, 400, 407, 3_000, 3_004, 2, 6, 13].map((days) => start + days * day);
    const left: number[] = [];
    for (const now of jumps) {
      vi.setSystemTime(now);
      await opened.jobs.find(({ name }) => name === 'empty-trash')?.run({ signal: new AbortController().signal, dueAt: now });
      expect((await ages()).lookedAt).toBe(now);
      left.push((await readdir(trash)).filter((name) => name === chatId).length);
    }
    expect(left).toEqual([1, 1, 1, 1, 1, 1, 1, 0]);
  } finally {
    vi.useRealTimers();
  }
});

test('an unused temporary chat is deleted after a day, while used and permanent chats stay', async () => {
  const unused = (await opened.chats.create({ temporary: true })).chatId;
  const used = (await opened.chats.create({ temporary: true })).chatId;
  const kept = (await opened.chats.create({})).chatId;
  const look = (now: number): unknown => opened.jobs.find(({ name }) => name === 'empty-trash')?.run({ signal: new AbortController().signal, dueAt: now });
  const there = async (): Promise<string[]> => (await opened.chats.list()).chats.map(({ chatId }) => chatId);
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const hour = 60 * 60_000;
    const start = Date.now();
    vi.setSystemTime(start + 20 * hour);
    await opened.chats.change(used, { title: 'Still here' });
    await look(start + 20 * hour);
    expect(await there()).toEqual(expect.arrayContaining([unused, used, kept]));
    vi.setSystemTime(start + 25 * hour);
    await look(start + 25 * hour);
    expect(await there()).toEqual(expect.arrayContaining([used, kept]));
    expect(await there()).not.toContain(unused);
    expect(await opened.chats.trash()).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('a failing purge retains only its own chat in the trash', async () => {
  const { emitter } = opened.kernel;
  const kept = (await opened.chats.active()).chatId;
  const gone = (await opened.chats.create({})).chatId;
  for (const chatId of [kept, gone]) await opened.chats.remove(chatId);
  const trash = join(opened.home, 'chats', '.trash');
  const empty = (): Promise<void> =>
    Promise.resolve(opened.jobs.find(({ name }) => name === 'empty-trash')?.run({ signal: new AbortController().signal, dueAt: Date.now() }));
  const there = async (): Promise<string[]> => (await readdir(trash)).filter((name) => name.startsWith('chat_')).toSorted();
  let isReady = false;
  emitter.tap('chat.erase', ({ chatId }) => {
    if (chatId === kept && !isReady) throw new Error('not now');
  });
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const start = Date.now();
    for (const week of [0, 1, 2, 3, 4]) {
      vi.setSystemTime(start + week * 7 * 24 * 60 * 60_000);
      await empty();
    }
    expect(await there()).toEqual([kept, gone].toSorted());
    vi.setSystemTime(start + 35 * 24 * 60 * 60_000);
    await expect(empty()).rejects.toThrow('not now');
    expect(await there()).toEqual([kept]);
    isReady = true;
    await empty();
    expect(await there()).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('a home folder serves one server at a time', async () => {
  await opened.kernel.emitter.call('app.start', []);
  const second = await openChats({ home: opened.home, work: opened.work });
  await expect(second.kernel.emitter.call('app.start', [])).rejects.toMatchObject({ code: 'CHATS_ERR_HOME_IN_USE' });
  await opened.kernel.emitter.call('app.stop', []);
  await second.kernel.emitter.call('app.start', []);
  expect(await second.close()).toEqual([]);
});

test('the configuration contains the active chat, or null before one exists', async () => {
  expect(await opened.section('GET /api/config')).toEqual({ activeChat: null });
  const { chatId, title, workspaceMode, workspaceRoot, workspaceFingerprint } = await opened.chats.active();
  expect(await opened.section('GET /api/config')).toEqual({ activeChat: { chatId, title, workspaceMode, workspaceRoot, workspaceFingerprint } });
});

test('closing the kernel completes pending creations, forks and deletions, and nothing is written afterwards', async () => {
  const [source, unwanted] = [await opened.chats.create(), await opened.chats.create()];
  const begun = [opened.chats.create(), opened.chats.fork(source.chatId), opened.chats.remove(unwanted.chatId), opened.chats.active()];
  await opened.kernel.close();
  const left = await readdir(opened.home, { recursive: true });
  const [made, copied] = (await Promise.all(begun)) as { chatId: string }[];
  expect((await readdir(opened.home, { recursive: true })).sort()).toEqual(left.sort());
  for (const chat of [made, copied]) expect(left).toContain(join('chats', chat?.chatId ?? '', 'meta.json'));
  expect(left).toContain(join('chats', '.trash', unwanted.chatId, 'meta.json'));
});
