// Tests the undo of a whole turn over HTTP: files, notes, persona, plan, settings and plugin state.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTurn, useEach } from '../../../helpers/in-process.ts';
import { openWorld } from './whole-turn-world.ts';
import { createGate } from '../../plugins/agent/agent-bench.ts';

const world = useEach(() => openWorld());

const everything = [
  { name: 'write_file', args: { path: 'a.txt', content: 'by the turn\n' } },
  { name: 'remember', args: { key: 'port', value: 'It is 8080.' } },
  { name: 'set_persona', args: { input: 'Answers in rhymes.', as: 'preference' } },
  { name: 'update_plan', args: { items: [{ text: 'First', status: 'active' }] } },
  { name: 'set_setting', args: { key: 'AGENT_MAX_ROUNDS', value: '77' } },
  { name: 'add_reminder', args: { text: 'call home' } },
  { name: 'count', args: { key: 'a', text: 'one' } },
  { name: 'send_mail', args: { to: 'ann@example.org' } },
];
const nothing = { file: undefined, note: undefined, setting: null, reminders: undefined, counter: undefined, living: '', plan: [] };

async function all(): Promise<object> {
  return {
    file: await world.file('a.txt'),
    note: await world.note('port'),
    setting: await world.setting('AGENT_MAX_ROUNDS'),
    reminders: await world.reminders(),
    counter: world.counter('a'),
    living: await world.living(),
    plan: await world.plan(),
  };
}

async function changeEverything(): Promise<string> {
  const turnId = await world.turn(everything);
  await expect.poll(() => world.setting('AGENT_MAX_ROUNDS')).toBe('77');
  return turnId;
}

test('undoes files, notes, persona, plan, settings and plugin state, lists external effects, and redoes all of it', async () => {
  expect(await all()).toEqual(nothing);
  const turnId = await changeEverything();
  const after = await all();
  expect(after).toMatchObject({ file: 'by the turn\n', note: 'It is 8080.', setting: '77', reminders: ['call home'], counter: 'one', plan: ['First'] });
  expect((after as { living: string }).living).toContain('Answers in rhymes.');

  const changes = (await world.harness.call('GET', `/api/changes?turnId=${turnId}`)).body;
  expect(changes.files.map(({ path }: any) => path)).toEqual(['a.txt']);
  const labels = ['note fact:port', 'the persona', 'the plan', 'setting AGENT_MAX_ROUNDS', 'reminders in reminders.json', 'counter a'];
  expect(changes.state.map(({ label }: any) => label).sort()).toEqual([...labels].sort());
  expect(changes.outside).toEqual([{ callId: expect.any(String), tool: 'send_mail', what: 'ann@example.org', effects: ['external'] }]);

  const { status, body } = await world.undo();
  expect(status).toBe(200);
  expect(body).toMatchObject({ turnId, restored: ['a.txt'], conflicts: [], stateConflicts: [], merged: [] });
  expect([...body.restoredState].sort()).toEqual([...labels].sort());
  expect(body.notUndone).toMatchObject([{ tool: 'send_mail', what: 'ann@example.org' }]);
  expect(await all()).toEqual(nothing);
  expect((await world.undo({ turnId })).body.error.code).toBe('already_resolved');

  const redone = await world.harness.call('POST', '/api/redo', {});
  expect(redone.body).toMatchObject({ ok: true, turnId, restored: ['a.txt'], conflicts: [], stateConflicts: [] });
  expect(await all()).toEqual(after);
  await world.restart();
  expect(await all()).toMatchObject({ file: 'by the turn\n', counter: 'one' });
  await world.undo();
  expect(await all()).toEqual(nothing);
});

test('merges later manual changes where possible and reports the others as conflicts', async () => {
  await world.note('port', 'It is 80.');
  await world.reminders(['old']);
  await changeEverything();
  await world.reminders(['old', 'call home', 'by hand']);
  await world.setting('AGENT_MAX_ROUNDS', '5');
  await world.note('port', 'By hand.');
  const { state } = (await world.harness.call('GET', '/api/changes')).body;
  const seen = Object.fromEntries(state.map(({ label, conflict, canMerge }: any) => [label, conflict ? canMerge : 'same']));
  expect(seen).toMatchObject({ 'reminders in reminders.json': true, 'setting AGENT_MAX_ROUNDS': false, 'note fact:port': false, 'counter a': 'same' });
  const { body } = await world.undo();
  expect(body.merged).toEqual(['reminders in reminders.json']);
  expect([...body.stateConflicts].sort()).toEqual(['note fact:port', 'setting AGENT_MAX_ROUNDS']);
  expect(await all()).toEqual({ ...nothing, note: 'By hand.', setting: '5', reminders: ['old', 'by hand'] });
});

test('undoes a setting of the turn that is still being applied', async () => {
  const kernel = world.harness.kernel.resolve('kernel') as { setPreferences: (...args: any[]) => Promise<void> };
  const { setPreferences } = kernel;
  const { open: open, opened: opened } = createGate();
  kernel.setPreferences = async (...args) => {
    await opened;
    return setPreferences.apply(kernel, args);
  };
  await world.turn([{ name: 'set_setting', args: { key: 'AGENT_MAX_ROUNDS', value: '60' } }]);
  await expect.poll(async () => (await world.harness.kernel.resolve('settings').read()).pending.env).toEqual({});
  let isOver = false;
  const undo = world.undo().finally(() => (isOver = true));
  const { chatId } = await world.harness.kernel.resolve('chats').active();
  const log = join(world.harness.kernel.resolve('chats').folder(chatId), 'checkpoints/log.jsonl');
  await expect.poll(async () => isOver || (await readFile(log, 'utf8')).includes('"intent"')).toBe(true);
  open();
  expect((await undo).body).toMatchObject({ restoredState: ['setting AGENT_MAX_ROUNDS'], stateConflicts: [] });
  expect(await world.setting('AGENT_MAX_ROUNDS')).toBeNull();
});

test('/undo and /redo list the changes, and the model is notified', async () => {
  await changeEverything();
  const { stream } = await runTurn(world.harness, '/undo');
  expect(stream.text()).toContain('Undone: a.txt, note fact:port');
  expect(stream.text()).toContain('Effects that cannot be undone: send_mail (ann@example.org).');
  expect(await world.note('port')).toBeUndefined();
  const entries = (await world.harness.call('GET', '/api/session')).body.entries ?? [];
  expect(JSON.stringify(entries)).not.toContain('Changes were undone');
  world.model.push({ text: 'I see.' });
  await runTurn(world.harness, 'And now?');
  expect(JSON.stringify(world.model.requests.at(-1)?.body.messages)).toContain('Also restored: note fact:port');
  const redo = await runTurn(world.harness, '/redo');
  expect(redo.stream.text()).toContain('Redone: a.txt');
  expect(await world.note('port')).toBe('It is 8080.');
});

test('undoes a persona change made by a slash command together with its turn', async () => {
  await runTurn(world.harness, '/persona learn Never use exclamation marks.');
  expect(await world.living()).toContain('exclamation');
  expect((await world.undo()).body).toMatchObject({ restoredState: ['the persona'] });
  expect(await world.living()).toBe('');
});

test('undoes a single state by its id', async () => {
  await changeEverything();
  const { state } = (await world.harness.call('GET', '/api/changes')).body;
  const { id } = state.find(({ kind }: any) => kind === 'note');
  expect((await world.undo({ paths: [id] })).body).toMatchObject({ restored: [], restoredState: ['note fact:port'], notUndone: [] });
  expect(await all()).toMatchObject({ file: 'by the turn\n', note: undefined, counter: 'one' });
});

test('rolls the whole undo back after an error, and the same undo then succeeds', async () => {
  await changeEverything();
  const after = await all();
  world.counter('jam', 'on');
  expect(await world.undo()).toMatchObject({ status: 500 });
  expect(await all()).toEqual(after);
  world.counter('jam', null);
  expect((await world.undo()).body).toMatchObject({ restored: ['a.txt'], conflicts: [], stateConflicts: [] });
  expect(await all()).toEqual(nothing);
});
