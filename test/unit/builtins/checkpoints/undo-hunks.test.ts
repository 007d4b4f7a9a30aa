// Tests the undo of single hunks.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTurn, startHarness, startScriptedModel, useEach, useFolder } from '../../../helpers/in-process.ts';

const model = useEach(() => startScriptedModel([]));
const workspace = useFolder('hunks-work-');
const harness = useEach(() => startHarness({ builtins: ['model-chat-completions', 'files', 'checkpoints'], workspace, environment: model.environment }));

const lines = (change: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 40 }, (_, index) => `${change[index + 1] ?? `line ${index + 1}`}\n`).join('');
const text = (): Promise<string> => readFile(join(workspace, 'a.txt'), 'utf8');
const changes = async (query: string): Promise<any> => (await harness.call('GET', `/api/changes?${query}`)).body;
const undo = (body: object): Promise<any> => harness.call('POST', '/api/undo', body);
async function writes(content: string): Promise<string> {
  const write = { name: 'write_file', args: { path: 'a.txt', content, mode: 'overwrite' } };
  // write_file refuses to replace a file that changed since it was read.
  model.push({ toolCalls: [...(existsSync(join(workspace, 'a.txt')) ? [{ name: 'read_file', args: { path: 'a.txt' } }] : []), write] }, { text: 'Done.' });
  return (await runTurn(harness, 'write')).turnId;
}

test('undoes one hunk of three, then the rest of the turn, and notifies the model', async () => {
  await writeFile(join(workspace, 'a.txt'), lines());
  const turnId = await writes(lines({ 2: 'two', 20: 'twenty', 38: 'thirty-eight' }));
  const { hunks, diff } = await changes('path=a.txt');
  expect(hunks).toHaveLength(3);
  expect(diff.match(/^@@ /gm)).toHaveLength(3);
  expect((await undo({ paths: ['a.txt'], hunks: [hunks[1]] })).body).toMatchObject({ ok: true, turnId, restored: ['a.txt'], conflicts: [] });
  expect(await text()).toBe(lines({ 2: 'two', 38: 'thirty-eight' }));
  const left = await changes(`path=a.txt&turnId=${turnId}`);
  expect(left.files).toMatchObject([{ path: 'a.txt', added: 2, removed: 2, undone: false, conflict: false }]);
  expect(await undo({ paths: ['a.txt'], hunks: [hunks[0]] })).toMatchObject({ status: 409, body: { error: { code: 'changed_since' } } });
  model.push({ text: 'I see.' });
  await runTurn(harness, 'and now?');
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('fully or partly restored');
  expect((await undo({ turnId })).body).toMatchObject({ restored: ['a.txt'], conflicts: [] });
  expect(await text()).toBe(lines());
});

test('marks the file as undone after its last hunks are undone', async () => {
  await writeFile(join(workspace, 'a.txt'), lines());
  await writes(lines({ 2: 'two', 38: 'thirty-eight' }));
  const { hunks } = await changes('path=a.txt');
  expect((await undo({ paths: ['a.txt'], hunks })).body.restored).toEqual(['a.txt']);
  expect(await text()).toBe(lines());
  expect((await changes('')).files).toMatchObject([{ path: 'a.txt', undone: true }]);
  expect((await changes('path=a.txt')).hunks).toEqual([]);
});

test('refuses to undo a hunk after any later change of the file', async () => {
  await writeFile(join(workspace, 'a.txt'), lines());
  const first = await writes(lines({ 2: 'two', 20: 'twenty' }));
  const { hunks } = await changes(`path=a.txt&turnId=${first}`);
  await writes(lines({ 2: 'two', 20: 'twenty', 38: 'thirty-eight' }));
  expect(await undo({ turnId: first, paths: ['a.txt'], hunks: [hunks[0]] })).toMatchObject({ status: 409, body: { error: { code: 'changed_since' } } });
  const all = (await changes('path=a.txt')).hunks;
  await writeFile(join(workspace, 'a.txt'), `${lines({ 2: 'two' })}by hand\n`);
  expect((await changes('path=a.txt')).hunks).toEqual([]);
  expect(await undo({ paths: ['a.txt'], hunks: [all[0]] })).toMatchObject({ status: 409, body: { error: { code: 'changed_since' } } });
  expect(await text()).toBe(`${lines({ 2: 'two' })}by hand\n`);
});

test('lists no hunks of a new file, keeps line endings, and rejects hunks of several files', async () => {
  await writes('new\n');
  expect((await changes('path=a.txt')).hunks).toEqual([]);
  const whole = `${lines()}the end`.replaceAll('\n', '\r\n');
  await writeFile(join(workspace, 'a.txt'), whole);
  await writes(whole.replace('line 3\r', 'three\r').replace('the end', 'the END'));
  const { hunks } = await changes(`path=a.txt&turnId=${(await changes('')).files[0].turnId}`);
  expect(hunks).toHaveLength(2);
  const { turnId } = (await changes('')).files[0];
  expect((await undo({ turnId, paths: ['a.txt'], hunks: [hunks[1]] })).status).toBe(200);
  expect(await text()).toBe(whole.replace('line 3\r', 'three\r'));
  expect(await undo({ hunks: ['x'] })).toMatchObject({ status: 400, body: { error: { code: 'needs_one_file' } } });
  expect(await undo({ paths: ['a.txt', 'b.txt'], hunks: ['x'] })).toMatchObject({ status: 400 });
  expect(await undo({ paths: ['none.txt'], hunks: ['x'] })).toMatchObject({ status: 404 });
});
