import { expect, test } from 'vitest';
import * as askUser from '../../../../builtins/tools/ask-user/index.ts';
import { createWorld } from '../../plugins/tools/fake-world.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const world = useEach(() => createWorld({ modules: { 'ask-user': askUser } as never }));

test('the tool puts the question and answers what the user says', async () => {
  const running = world.run('ask_user', { prompt: 'Which one?', options: ['a', 'b'] }, { callId: 'call_1' });
  const question = await world.seen('ask_user');
  expect(question).toMatchObject({ chatId: world.chatId, callId: 'call_1', prompt: 'Which one?', options: ['a', 'b'] });
  await world.call('POST /api/answer', { body: { askId: question.askId, answer: 'neither, use c' } });
  expect(await running).toEqual({ ok: true, output: 'neither, use c' });
});

test('no options are no choice, and an empty answer is said to be one', async () => {
  const running = world.run('ask_user', { prompt: 'Go on?', options: [] });
  const question = await world.seen('ask_user');
  expect(question).not.toHaveProperty('options');
  await world.call('POST /api/answer', { body: { askId: question.askId, answer: ' ' } });
  expect(await running).toEqual({ ok: true, output: expect.stringContaining('empty') });
});

test('it is always shown, waits without a limit, and needs no approval itself', async () => {
  const tools = world.kernel.resolve('tools');
  expect(tools.visible(world.chatId).specs.map((spec) => spec.name)).toEqual(['ask_user']);
  expect(tools.find('ask_user')).toMatchObject({ timeoutMs: 0, replay: 'ask', effects: ['read'] });
  expect(await world.guard(world.toolCall('ask_user', { prompt: 'x' }))).toBeUndefined();
  expect(tools.check('ask_user', '{"prompt": ""}').ok).toBe(false);
});
