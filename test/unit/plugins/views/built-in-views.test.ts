// Tests the built-in views: usage, plan, tasks and changes, including undo from the changes view.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTurn, startHarness, startScriptedModel, useAll } from '../../../helpers/in-process.ts';

const model = useAll(() => startScriptedModel([]));
const harness = useAll(() =>
  startHarness({ builtins: ['model-chat-completions', 'files', 'checkpoints', 'plan', 'subagents'], environment: model.environment }),
);

const read = async (name: string): Promise<any> => (await harness.call('GET', `/api/views/${name}`)).body;
const shown = async (name: string): Promise<string> => (await harness.call('POST', '/api/commands', { name: 'view', args: name })).body.text;

test('the plan is a list in its view and in the card of its call', async () => {
  const items = [
    { text: 'Look around', status: 'done' },
    { text: 'Mend it', status: 'active' },
    { text: 'Tell', status: 'pending' },
  ];
  model.push({ toolCalls: [{ name: 'update_plan', args: { items } }] }, { text: 'Planned.' });
  await runTurn(harness, 'plan it');
  const list = { kind: 'list', isOrdered: true, isCompact: true, items: items.map(({ text, status }) => ({ text, state: status })) };
  expect(await read('plan')).toEqual({ name: 'plan', title: 'Plan', blocks: [list] });
  expect(await shown('plan')).toBe('Plan\n☑ Look around\n▸ Mend it\n☐ Tell');
  const { chatId } = (await harness.call('GET', '/api/chats')).body.chats[0];
  const { entries } = (await harness.call('GET', `/api/chats/${chatId}/transcript`)).body;
  expect(entries.find((one: any) => one.name === 'update_plan')).toMatchObject({ ok: true, view: { blocks: [list] } });
});

test('changes show a row and a diff per file and are undone by row', async () => {
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
  expect(done.body).toMatchObject({ message: 'Undone: a b.txt.', view: { blocks: [{ rows: [{ cells: ['a b.txt', 'undone', 1, 1], actions: [] }] }] } });
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
  expect((await harness.call('POST', '/api/views/changes/actions/undo', { row: blocks[0].rows[0].id })).status).toBe(409);
});

test('part of a file is undone by the id of its hunk', async () => {
  const path = join(harness.workspace, 'long.txt');
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`);
  await writeFile(path, `${lines.join('\n')}\n`);
  const content = `${lines.with(1, 'ONE').with(25, 'LAST').join('\n')}\n`;
  model.push({ toolCalls: [{ name: 'write_file', args: { path: 'long.txt', content, mode: 'overwrite' } }] }, { text: 'Done.' });
  await runTurn(harness, 'write');
  const { blocks } = await read('changes');
  const { hunks } = blocks.find((block: any) => block.kind === 'diff' && block.path === 'long.txt');
  expect(hunks).toEqual([{ id: expect.any(String) }, { id: expect.any(String) }]);
  expect(await shown('changes')).toContain(`@@ [${hunks[0].id}]`);
  const done = await harness.call('POST', '/api/views/changes/actions/undo-part', { row: hunks[0].id });
  expect(done.body).toMatchObject({ message: 'Undone: long.txt.' });
  expect(await readFile(path, 'utf8')).toBe(`${lines.with(25, 'LAST').join('\n')}\n`);
  expect(done.body.view.blocks.find((block: any) => block.path === 'long.txt')).not.toHaveProperty('hunks');
  expect((await harness.call('POST', '/api/views/changes/actions/undo-part', { row: hunks[0].id })).status).toBe(409);
});

test('tasks are a tree of goals and steps', async () => {
  model.push(
    { toolCalls: [{ name: 'spawn_task', args: { goal: 'Count the files' } }] },
    { toolCalls: [{ name: 'list_dir', args: { path: '.' } }] },
    { text: 'There is one.' },
    { text: 'One.' },
  );
  await runTurn(harness, 'have them counted');
  expect(await shown('tasks')).toMatch(/^Tasks\n☑ Count the files {2}There is one\.\n {2}☑ list_dir/);
});

test('usage shows days, models and token counts', async () => {
  const { blocks } = await read('usage');
  const [fields, , chart] = blocks;
  expect(chart).toMatchObject({ kind: 'chart', labels: { length: 7 } });
  const calls = fields.fields.find((field: any) => field.label === 'Model calls').value;
  expect(calls).toBe((await harness.call('GET', '/api/usage')).body.totals.calls);
  for (const title of ['By chat', 'By purpose', 'By model', 'By plugin'])
    expect(blocks.find((block: any) => block.title === title).rows.reduce((sum: number, { cells }: any) => sum + cells[2], 0)).toBe(calls);
  const today = chart.series.reduce((sum: number, { values }: any) => sum + values.at(-1), 0);
  expect(today).toBe(fields.fields[0].value + fields.fields[2].value);
  const { chats } = (await harness.call('GET', '/api/chats')).body;
  expect(blocks.find((block: any) => block.title === 'By chat').rows.map(({ opens }: any) => opens.chat)).toEqual([chats[0].chatId]);
  expect((await read('usage?plugin=nobody')).blocks[0].fields.at(-1).value).toBe(0);
  expect((await read('usage?days=30')).parameters).toMatchObject({ values: { days: 30, rows: 20 } });
  expect((await harness.call('GET', '/api/views/usage?days=-1')).status).toBe(400);
});

test('without a chat the views are empty', async () => {
  const views = harness.kernel.resolve('views');
  for (const name of ['plan', 'changes', 'tasks']) expect(JSON.stringify(await views.read(name, {}))).toMatch(/"(items|rows)":\[\]/);
});
