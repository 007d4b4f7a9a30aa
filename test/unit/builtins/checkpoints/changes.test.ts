import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type Harness, runTurn, startHarness, startScriptedModel, useEach, useFolder } from '../../../helpers/in-process.ts';

let harness: Harness;
const start = async (): Promise<void> => {
  harness = await startHarness({ builtins: ['model-chat-completions', 'files', 'checkpoints'], home, workspace, environment: model.environment });
};
const model = useEach(() => startScriptedModel([]));
const home = useFolder('changes-home-');
const workspace = useFolder('changes-work-');
beforeEach(async () => {
  await start();
});

const at = (path: string): string => join(workspace, path);
const changes = async (query = ''): Promise<any> => (await harness.call('GET', `/api/changes${query}`)).body;
async function writes(files: Record<string, string>): Promise<string> {
  const calls = Object.entries(files).map(([path, content]) => ({ name: 'write_file', args: { path, content, mode: 'overwrite' } }));
  model.push({ toolCalls: calls }, { text: 'Done.' });
  return (await runTurn(harness, 'write')).turnId;
}
const row = (path: string, more: object): object => ({ path, undone: false, conflict: false, binary: false, ...more });

test('lists changed files with line counts, per turn and net over all turns, and returns the diff of one path', async () => {
  expect(await changes()).toEqual({ files: [], state: [], outside: [], more: 0 });
  await writeFile(at('a.txt'), 'one\ntwo\nthree\n');
  const first = await writes({ 'a.txt': 'one\n2\nthree\n', 'b.txt': 'b\n' });
  const second = await writes({ 'a.txt': 'one\n2\n3\n' });
  const { files, more } = await changes();
  expect(more).toBe(0);
  expect(files).toMatchObject([
    row('a.txt', { kind: 'edited', added: 2, removed: 2, turnId: second }),
    row('b.txt', { kind: 'added', added: 1, removed: 0, turnId: first }),
  ]);
  expect((await changes(`?turnId=${first}`)).files).toMatchObject([
    expect.objectContaining({ path: 'b.txt' }),
    row('a.txt', { kind: 'edited', added: 1, removed: 1, turnId: first, conflict: true }),
  ]);
  const one = await changes(`?turnId=${second}&path=a.txt`);
  expect(one.files).toMatchObject([row('a.txt', { added: 1, removed: 1 })]);
  expect(one.diff).toBe('--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n 2\n-three\n+3');
  expect(await changes('?path=none.txt')).toEqual({ files: [], state: [], outside: [], more: 0 });
});

test('returns the same changes after a restart', async () => {
  await writes({ 'a.txt': 'a\n' });
  const before = await changes('?path=a.txt');
  expect(before.diff).toContain('--- /dev/null');
  await harness.close({ keepFiles: true });
  await start();
  expect(await changes('?path=a.txt')).toEqual(before);
});

test('marks undone files and reports a later manual change as a conflict', async () => {
  await writes({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  await writeFile(at('b.txt'), 'b\nhand\n');
  expect((await changes()).files).toMatchObject([row('b.txt', { conflict: true, added: 2 }), row('a.txt', { conflict: false })]);
  await harness.call('POST', '/api/undo', {});
  const { files } = await changes();
  expect(files).toEqual(
    expect.arrayContaining([expect.objectContaining(row('a.txt', { undone: true, added: 1 })), expect.objectContaining(row('b.txt', { conflict: true }))]),
  );
  expect((await changes('?path=a.txt')).diff).toContain('+a');
});

test('distinguishes deleted and moved files, and returns no diff for binary files', async () => {
  await writeFile(at('old.txt'), 'same\n');
  await writeFile(at('gone.txt'), 'gone\n');
  await writeFile(at('pic.bin'), Buffer.from([0, 1, 2]));
  await writes({ 'x.txt': 'x' });
  const { chatId } = (await harness.call('GET', '/api/chats')).body.chats[0];
  const checkpoints = harness.kernel.resolve('checkpoints');
  const context = { chatId, turnId: 'turn_9', callId: 'call_9' };
  await checkpoints.before(context, at('new.txt'), Buffer.from('same\n'));
  await checkpoints.before(context, at('old.txt'), null);
  await rename(at('old.txt'), at('new.txt'));
  await checkpoints.before(context, at('gone.txt'), null);
  await rm(at('gone.txt'));
  await checkpoints.before(context, at('pic.bin'), Buffer.from([0, 3]));
  await writeFile(at('pic.bin'), Buffer.from([0, 3]));
  const { files } = await changes('?turnId=turn_9');
  expect(files).toHaveLength(3);
  expect(files).toEqual(
    expect.arrayContaining([
      expect.objectContaining(row('new.txt', { kind: 'moved', from: 'old.txt', added: 0, removed: 0 })),
      expect.objectContaining(row('gone.txt', { kind: 'deleted', added: 0, removed: 1 })),
      expect.objectContaining({ path: 'pic.bin', kind: 'edited', binary: true, added: null, removed: null }),
    ]),
  );
  expect((await changes('?turnId=turn_9&path=pic.bin')).diff).toBeUndefined();
});

test('lists the newest 200 files and counts the others', async () => {
  const many = Object.fromEntries(Array.from({ length: 203 }, (_, index) => [`f${index}.txt`, `${index}\n`]));
  await writes(many);
  const { files, more } = await changes();
  expect(files).toHaveLength(200);
  expect(more).toBe(3);
  expect(await harness.call('GET', '/api/changes?chatId=chat_none')).toMatchObject({ status: 404 });
});

test('undoes selected files across turns, then the rest of a turn, and leaves manual changes alone', async () => {
  await writeFile(at('a.txt'), 'zero\n');
  await writes({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
  const second = await writes({ 'a.txt': 'two\n', 'c.txt': 'c\n' });
  const undo = async (body: object): Promise<any> => harness.call('POST', '/api/undo', body);
  expect((await undo({ paths: ['a.txt'] })).body).toMatchObject({ restored: ['a.txt'], conflicts: [] });
  expect(await readFile(at('a.txt'), 'utf8')).toBe('zero\n');
  expect((await changes()).files).toEqual(
    expect.arrayContaining([
      expect.objectContaining(row('a.txt', { undone: true })),
      expect.objectContaining(row('b.txt', {})),
      expect.objectContaining(row('c.txt', {})),
    ]),
  );
  expect((await undo({ paths: ['a.txt'] })).status).toBe(404);
  expect((await undo({ turnId: second })).body).toMatchObject({ restored: ['c.txt'], conflicts: [] });
  await writeFile(at('b.txt'), 'by hand\n');
  expect((await undo({ paths: ['b.txt'] })).body).toMatchObject({ restored: [], conflicts: ['b.txt'] });
  expect(await readFile(at('b.txt'), 'utf8')).toBe('by hand\n');
  expect((await undo({ paths: [] })).status).toBe(400);
});
