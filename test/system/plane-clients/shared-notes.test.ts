// Tests the team notes of the service: as stored on the control plane, and deletion there and locally.
import { afterAll, afterEach, expect, test } from 'vitest';
import { addMember, startPlane, type AddedMember } from '../../helpers/plane.ts';
import { openHome, removeFolders, type Home } from '../../unit/builtins/notes-sync/sync-kit.ts';
import { useAll } from '../../helpers/use-opened.ts';

const homes: Home[] = [];
const remote = 'https://example.org/team/repo.git';
const workspace = 'git:example.org/team/repo';
const plane = useAll(() => startPlane());
const ada = useAll(() => addMember(plane, { email: 'ada@example.org', role: 'admin' }));
const bob = useAll(() => addMember(plane, { email: 'bob@example.org', role: 'member' }));
const vic = useAll(() => addMember(plane, { email: 'vic@example.org', role: 'viewer' }));
afterEach(async () => {
  for (const home of homes.splice(0)) expect(await home.close({ keepFiles: true })).toEqual([]);
});
afterAll(async () => {
  await removeFolders();
});

async function open(member: AddedMember): Promise<Home> {
  const home = await openHome({ plane, member, remote });
  homes.push(home);
  return home;
}
const read = async (home: Home): Promise<any> => (await home.call('GET', `/api/team/notes?workspace=${workspace}`)).body;
const remove = (home: Home, key: string, revision: number) =>
  home.call('DELETE', `/api/team/notes?${new URLSearchParams({ workspace, key, revision: String(revision) }).toString()}`);

test('returns notes with their authors, deletes a note also locally and rejects a deletion of a changed note', async () => {
  const [one, two] = [await open(ada), await open(bob)];
  await one.remember('build', 'make all', 'workspace');
  await one.remember('deploy', 'make ship', 'workspace');
  await one.sync('team');
  await two.sync('team');
  expect((await two.call('GET', '/api/team/notes/sets')).body).toEqual({ sets: [{ workspace, notes: 2 }], mayDelete: true });
  const seen = await read(two);
  expect(seen.notes.toSorted((one: any, other: any) => one.key.localeCompare(other.key))).toMatchObject([
    { key: 'fact:build', value: 'make all', by: 'ada@example.org', isOwn: false },
    { key: 'fact:deploy', value: 'make ship', by: 'ada@example.org', isOwn: false },
  ]);
  expect(seen.isCut).toBe(false);
  await one.remember('deploy', 'make it so', 'workspace');
  await one.sync('team');
  expect(await remove(two, 'fact:deploy', seen.revision)).toMatchObject({ status: 409, body: { error: { code: 'changed' } } });
  expect((await remove(two, 'fact:build', seen.revision)).body).toEqual({ ok: true });
  expect((await read(one)).notes).toMatchObject([{ key: 'fact:deploy', value: 'make it so', isOwn: true }]);
  expect(await two.notes('workspace')).toEqual(['deploy=make it so']);
  const { versions } = (await two.call('GET', `/api/sync/history?target=team&workspace=${workspace}&key=fact:build`)).body;
  expect(versions).toMatchObject([{ value: 'make all', reason: 'deleted', by: { email: 'ada@example.org' } }]);
});

test('reports that a viewer may not delete, and the control plane enforces it', async () => {
  const home = await open(vic);
  expect((await home.call('GET', '/api/team/notes/sets')).body.mayDelete).toBe(false);
  const { notes, revision } = await read(home);
  expect(await remove(home, notes[0].key, revision)).toMatchObject({ status: 502, body: { error: { code: 'plane_refused' } } });
  expect((await read(home)).notes).toEqual(notes);
});
