// Tests notes sync between two homes of one person, and of two teammates, through a real control plane.
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { addMember, startPlane, type AddedMember } from '../../helpers/plane.ts';
import { openHome, removeFolders, type Home, type HomeOptions } from '../../unit/builtins/notes-sync/sync-kit.ts';
import { useAll } from '../../helpers/use-opened.ts';

let orgs = 0;
const homes: Home[] = [];
const plane = useAll(() => startPlane());
afterEach(async () => {
  for (const home of homes.splice(0)) expect(await home.close({ keepFiles: true })).toEqual([]);
});
afterAll(async () => {
  await removeFolders();
});

async function open(options: Omit<HomeOptions, 'plane'>): Promise<Home> {
  const home = await openHome({ plane, ...options });
  homes.push(home);
  return home;
}
const newMember = (email = `ada${orgs}@example.org`, role: 'member' | 'viewer' = 'member'): Promise<AddedMember> =>
  addMember(plane, { email, role, tier: 'team', org: `Org ${orgs++}` });

test('synchronises added, changed and deleted notes between two homes', async () => {
  const member = await newMember();
  const [one, two] = [await open({ member }), await open({ member })];
  await one.remember('editor', 'vim');
  await one.remember('shell', 'fish');
  expect(await one.sync()).toMatchObject({ sets: [{ workspace: 'global', isAgreed: true, pushed: 2, pending: 0, revision: 1 }, {}] });
  expect(await two.sync()).toMatchObject({ sets: [{ pulled: 2 }, {}] });
  expect(await two.notes()).toEqual(['editor=vim', 'shell=fish']);
  await two.forget('editor');
  await one.remember('shell', 'zsh');
  await one.sync();
  await two.sync();
  await one.sync();
  expect(await one.notes()).toEqual(['shell=zsh']);
  expect(await two.notes()).toEqual(['shell=zsh']);
  expect((await one.sync()).sets[0]).toMatchObject({ pulled: 0, pushed: 0, pending: 0 });
});

test('keeps the newer of two conflicting notes in both homes and stores the other for a decision', async () => {
  const member = await newMember();
  const [one, two] = [await open({ member }), await open({ member })];
  await one.remember('db', 'postgres');
  await one.sync();
  await two.sync();
  await one.remember('db', 'of one');
  await two.remember('db', 'of two');
  await two.sync();
  await one.sync();
  await two.sync();
  expect([await one.notes(), await two.notes()]).toEqual([['db=of two'], ['db=of two']]);
  const { sets } = (await one.call('GET', '/api/sync/state')).body;
  expect(sets.find((set: any) => set.workspace === 'global').conflicts).toMatchObject([{ id: 'fact:db', value: 'of one', side: 'here' }]);
  const { versions } = (await one.call('GET', '/api/sync/history?target=cloud&workspace=global&key=fact:db')).body;
  expect(versions.map((one: any) => one.value)).toEqual(['postgres']);
  const [kept] = sets.find((set: any) => set.workspace === 'global').conflicts;
  const choice = { target: 'cloud', workspace: 'global', at: kept.at, id: kept.id, side: kept.side };
  const settle = (isUsed: boolean) => one.call('POST', '/api/sync/settle', { ...choice, isUsed });
  expect(await settle(true)).toMatchObject({ status: 200, body: { set: { conflicts: [], pending: 0, pushed: 1 } } });
  await two.sync();
  expect([await one.notes(), await two.notes()]).toEqual([['db=of one'], ['db=of one']]);
  expect(await settle(false)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
});

test('sends nothing before consent, previews the notes and withholds likely secrets', async () => {
  const home = await open({ member: await newMember() });
  await home.remember('city', 'Oslo');
  await home.remember('login', 'password: hunter2!');
  const service = home.kernel.resolve('notesSync');
  const target = { name: 'cloud', path: '/api/pro/cloud_sync/notes', isShared: false } as const;
  const place = { workspace: 'global', set: { scope: 'global' } } as const;
  expect(await service.run(target, place)).toMatchObject({ isAgreed: false, pushed: 0, pending: 1 });
  const { sets } = (await home.call('GET', '/api/sync/preview?target=cloud')).body;
  expect(sets[0]).toMatchObject({ workspace: 'global', total: 1, isAgreed: false, notes: [{ id: 'fact:city' }], refused: [{ id: 'fact:login' }] });
  expect(await service.run(target, place, { isWanted: true })).toMatchObject({
    isAgreed: true,
    pushed: 1,
    refused: [{ id: 'fact:login', why: expect.stringContaining('not uploaded') }],
  });
  const [{ count } = { count: -1 }] = await plane.kernel
    .resolve('database')
    .query<{ count: number }>(`select count(*) as count from note where value like '%hunter2%'`);
  expect(count).toBe(0);
});

test('starts without consent for another account on the same machine and keeps the first account’s notes', async () => {
  const [ada, bob] = [await newMember('ada-x@example.org'), await newMember('bob-x@example.org')];
  const first = await open({ member: ada });
  await first.remember('mine', 'of ada');
  await first.sync();
  await first.close({ keepFiles: true });
  homes.length = 0;
  const second = await open({ member: bob, home: first.home, workspace: first.workspace, environment: { AGENT_CLOUD_SYNC_AUTO: '1' } });
  const service = second.kernel.resolve('notesSync');
  const target = { name: 'cloud', path: '/api/pro/cloud_sync/notes', isShared: false } as const;
  const place = { workspace: 'global', set: { scope: 'global' } } as const;
  expect(await service.run(target, place, { isWanted: true })).toMatchObject({ isAgreed: false, pushed: 0 });
  expect((await plane.call('GET', '/api/pro/cloud_sync/notes?workspace=global', { token: bob.token })).body.notes).toEqual([]);
  expect((await second.call('POST', '/api/sync/stop', { target: 'cloud' })).body).toEqual({ ok: true });
});

test('recalls a teammate’s note as external content with its author, and propagates a deletion', async () => {
  const org = `Team ${orgs++}`;
  const [ada, bob] = [
    await addMember(plane, { email: 'ada-t@example.org', role: 'member', tier: 'team', org }),
    await addMember(plane, { email: 'bob-t@example.org', role: 'member', tier: 'team', org }),
  ];
  const remote = 'https://example.org/team/repo.git';
  const [one, two] = [await open({ member: ada, remote }), await open({ member: bob, remote })];
  await one.remember('build', 'run make all', 'workspace');
  await one.remember('private', 'global ones stay', 'global');
  expect(await one.sync('team')).toMatchObject({ sets: [{ workspace: 'git:example.org/team/repo', pushed: 1 }] });
  expect(await two.sync('team')).toMatchObject({ sets: [{ pulled: 1, pending: 0 }] });
  const chatId = (await two.call('GET', '/api/chats')).body.activeChatId;
  const [hit] = await two.kernel.resolve('notes').recall({ chatId, workspaceRoot: two.workspace }, 'run make');
  expect(hit?.note).toMatchObject({ value: 'run make all', isForeign: true, source: { kind: 'team', ref: 'ada-t@example.org' } });
  // A teammate’s note is not sent again as an own note, neither to the team nor to the account.
  expect((await two.sync('cloud')).sets.map((set: any) => set.pushed)).toEqual([0, 0]);
  await two.forget('build', 'workspace');
  expect(await two.sync('team')).toMatchObject({ sets: [{ pushed: 1 }] });
  await one.sync('team');
  expect(await one.notes('workspace')).toEqual([]);
  expect(await two.notes('workspace')).toEqual([]);
});

test('activates sync plugins only with their entitlements', async () => {
  const member = await addMember(plane, { email: 'free@example.org', role: 'member', tier: 'community', org: `Org ${orgs++}` });
  const home = await open({ member });
  const { plugins } = (await home.call('GET', '/api/plugins')).body;
  const states = Object.fromEntries(plugins.map(({ name, state }: any) => [name, state]));
  expect([states['notes-sync'], states['cloud-sync'], states['team-memory']]).toEqual(['active', 'locked', 'locked']);
  expect((await home.call('GET', '/api/sync/state')).body).toEqual({ targets: [], sets: [] });
  await vi.waitFor(async () => expect((await home.call('GET', '/api/tools')).body.tools.some(({ name }: any) => name.startsWith('cloud_'))).toBe(false));
});
