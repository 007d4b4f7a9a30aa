import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Prompt, Turn } from 'agent-harness/plugins/agent';
import { beforeEach, expect, test } from 'vitest';
import { openUndoBench, type UndoBench } from './undo-bench.ts';

let bench: UndoBench;
const at = (path: string): string => join(bench.workspace, path);
const turn = (turnId: string, isRoot = true): Turn => ({ turnId, chatId: 'chat_1', isRoot, notes: new Map() }) as unknown as Turn;
const emptyPrompt: Prompt = { system: [], messages: [], tail: [] };
const tailOf = async (one: Turn): Promise<string> => (await bench.owner.call('prompt.build', [emptyPrompt, one])).tail.map((message) => message.text).join();
const slash = async (args = ''): Promise<unknown> =>
  bench.items.slash_command?.find(({ name }) => name === 'undo')?.run({ chatId: 'chat_1', workspaceRoot: bench.workspace, args });
const post = async (body: object): Promise<unknown> => bench.items.route?.find(({ key }) => key === 'POST /api/undo')?.handle({ body } as never);

beforeEach(async () => {
  bench = await openUndoBench();
  await writeFile(at('a.txt'), 'before');
  await bench.output('write_file', { path: 'a.txt', content: 'after' }, { turnId: 'turn_1' });
});

test('POST /api/undo returns 409 while a turn is running', async () => {
  bench.busy = true;
  await expect(post({})).rejects.toMatchObject({ code: 'CHECKPOINTS_ERR_TURN_IN_PROGRESS', status: 409 });
});

test('/undo runs as a turn of its own but is rejected while a model is running', async () => {
  bench.busy = true;
  await bench.owner.call('turn.before', [turn('turn_2')]);
  await bench.owner.call('round.before', [turn('turn_2')]);
  await expect(slash()).rejects.toMatchObject({ code: 'CHECKPOINTS_ERR_TURN_IN_PROGRESS' });
  await bench.owner.call('turn.after', [turn('turn_2'), {} as never]);
  await bench.owner.call('turn.before', [turn('turn_3')]);
  expect(await slash()).toBe('Undone: a.txt.');
  await expect(slash('turn_1')).rejects.toMatchObject({ code: 'CHECKPOINTS_ERR_ALREADY_RESOLVED' });
  expect(await readFile(at('a.txt'), 'utf8')).toBe('before');
});

test('/undo counts a turn as running if it started before the previous one ended', async () => {
  bench.busy = true;
  await bench.owner.call('round.before', [turn('turn_2')]);
  await bench.owner.call('turn.before', [turn('turn_3')]);
  await bench.owner.call('round.before', [turn('turn_3')]);
  await bench.owner.call('turn.after', [turn('turn_2'), {} as never]);
  await expect(slash()).rejects.toMatchObject({ code: 'CHECKPOINTS_ERR_TURN_IN_PROGRESS' });
});

test('/undo lists the files that it did not restore', async () => {
  await writeFile(at('a.txt'), 'hand');
  expect(await slash('turn_1')).toBe('Not undone because of later changes: a.txt.');
});

test('every round of the next turn contains a notice of the undo, and later turns do not', async () => {
  expect(await tailOf(turn('turn_2'))).toBe('');
  await bench.undo();
  expect(await tailOf(turn('sub', false))).toBe('');
  const next = turn('turn_3');
  expect(await tailOf(next)).toContain('read them again before you rely on them: a.txt.');
  expect(await tailOf(next)).toContain('a.txt');
  expect(await tailOf(turn('turn_4'))).toBe('');
});

test('the notice of an undo survives a restart', async () => {
  await bench.undo();
  await bench.owner.call('chat.close', ['chat_1']);
  expect(await tailOf(turn('turn_3'))).toContain('a.txt');
  await bench.owner.call('chat.close', ['chat_1']);
  expect(await tailOf(turn('turn_4'))).toBe('');
});

test("undoes the changes of a sub-agent together with the user's turn", async () => {
  bench.busy = true;
  await bench.owner.call('turn.before', [turn('turn_5')]);
  await bench.owner.call('round.before', [turn('turn_5')]);
  await bench.output('write_file', { path: 'b.txt', content: 'b' }, { turnId: 'turn_child' });
  await bench.owner.call('turn.after', [turn('turn_5'), {} as never]);
  bench.busy = false;
  expect(await bench.undo()).toMatchObject({ turnId: 'turn_5', restored: ['b.txt'] });
});
