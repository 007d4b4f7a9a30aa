// What built-ins show as views: usage, the plan, helpers and changes, with taking a change back.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTurn } from '../../helpers/event-stream.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';

let model: ScriptedModel;
let harness: Harness;
beforeAll(async () => {
  model = await startScriptedModel([]);
  harness = await startHarness({ builtins: ['model-chat-completions', 'files', 'checkpoints', 'plan', 'subagents'], environment: model.environment });
});
afterAll(async () => {
  await harness.close();
  await model.close();
});

const read = async (name: string): Promise<any> => (await harness.call('GET', `/api/views/${name}`)).body;
const shown = async (name: string): Promise<string> => (await harness.call('POST', '/api/commands', { name: 'view', args: name })).body.text;

test('the plan is a list, in its view and in the card of the call that wrote it', async () => {
  const items = [
    { text: 'Look around', status: 'done' },
    { text: 'Mend it', status: 'active' },
    { text: 'Tell', status: 'pending' },
  ];
  model.push({ toolCalls: [{ name: 'update_plan', args: { items } }] }, { text: 'Planned.' });
  await runTurn(harness, 'plan it');
  const list = { kind: 'list', items: items.map(({ text, status }) => ({ text, state: status })) };
  expect(await read('plan')).toEqual({ name: 'plan', title: 'Plan', blocks: [list] });
  expect(await shown('plan')).toBe('Plan\n☑ Look around\n▸ Mend it\n☐ Tell');
  const { chatId } = (await harness.call('GET', '/api/chats')).body.chats[0];
  const { entries } = (await harness.call('GET', `/api/chats/${chatId}/transcript`)).body;
  expect(entries.find((one: any) => one.name === 'update_plan')).toMatchObject({ ok: true, view: { blocks: [list] } });
});

test('changes have a row and a difference for each file, and are taken back by their row', async () => {
  const path = join(harness.workspace, 'a b.txt');
  await writeFile(path, 'one\ntwo\n');
  model.push({ toolCalls: [{ name: 'write_file', args: { path: 'a b.txt', content: 'one\n2\n', mode: 'overwrite' } }] }, { text: 'Done.' });
  await runTurn(harness, 'write');
  const { blocks } = await read('changes');
  expect(blocks).toMatchObject([
    { kind: 'table', rows: [{ cells: ['a b.txt', 'edited', 1, 1], actions: ['undo'] }] },
    { kind: 'diff', path: 'a b.txt', diff: expect.stringContaining('-two\n+2') },
  ]);
  const done = await harness.call('POST', '/api/views/changes/actions/undo', { row: blocks[0].rows[0].id });
  expect(done.body).toMatchObject({ message: 'Taken back: a b.txt.', view: { blocks: [{ rows: [{ cells: ['a b.txt', 'taken back', 1, 1], actions: [] }] }] } });
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
  expect((await harness.call('POST', '/api/views/changes/actions/undo', { row: blocks[0].rows[0].id })).status).toBe(409);
});

test('helpers are a tree of what they were told and did', async () => {
  model.push(
    { toolCalls: [{ name: 'spawn_task', args: { goal: 'Count the files' } }] },
    { toolCalls: [{ name: 'list_dir', args: { path: '.' } }] },
    { text: 'There is one.' },
    { text: 'One.' },
  );
  await runTurn(harness, 'have them counted');
  expect(await shown('tasks')).toMatch(/^Tasks\n☑ Count the files {2}There is one\.\n {2}☑ list_dir/);
});

test('usage has the days, the models and what they took', async () => {
  const { blocks } = await read('usage');
  expect(blocks).toMatchObject([{ kind: 'fields' }, { kind: 'chart', labels: { length: 14 } }, { kind: 'table', title: 'By model' }]);
  const calls = blocks[0].fields.find((field: any) => field.label === 'Model calls').value;
  expect(calls).toBe((await harness.call('GET', '/api/usage')).body.totals.calls);
  expect(blocks[2].rows.reduce((sum: number, { cells }: any) => sum + cells[1], 0)).toBe(calls);
  const today = blocks[1].series.reduce((sum: number, { values }: any) => sum + values[13], 0);
  expect(today).toBe(blocks[0].fields[0].value + blocks[0].fields[2].value);
});

test('without a chat they say that nothing is there', async () => {
  const views = harness.kernel.resolve('views');
  for (const name of ['plan', 'changes', 'tasks']) expect(JSON.stringify(await views.read(name, {}))).toMatch(/"(items|rows)":\[\]/);
});
