import { expect, test } from 'vitest';
import * as askUser from '../../../../builtins/tools/ask-user/index.ts';
import { createWorld } from '../../plugins/tools/fake-world.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const world = useEach(() => createWorld({ modules: { 'ask-user': askUser } as never }));

test('emits the question and returns the answer of the user', async () => {
  const running = world.run('ask_user', { prompt: 'Which one?', options: ['a', 'b'] }, { callId: 'call_1' });
  const question = await world.seen('ask_user');
  expect(question).toMatchObject({ chatId: world.chatId, callId: 'call_1', prompt: 'Which one?', options: ['a', 'b'] });
  await world.call('POST /api/answer', { body: { askId: question.askId, answer: 'neither, use c' } });
  expect(await running).toEqual({ ok: true, output: 'neither, use c' });
});

test('omits an empty list of options and reports an empty answer as such', async () => {
  const running = world.run('ask_user', { prompt: 'Go on?', options: [] });
  const question = await world.seen('ask_user');
  expect(question).not.toHaveProperty('options');
  await world.call('POST /api/answer', { body: { askId: question.askId, answer: ' ' } });
  expect(await running).toEqual({ ok: true, output: expect.stringContaining('empty') });
});

test('is always visible, has no timeout and needs no approval', async () => {
  const tools = world.kernel.resolve('tools');
  expect(tools.visible(world.chatId).specs.map((spec) => spec.name)).toEqual(['ask_user']);
  expect(tools.find('ask_user')).toMatchObject({ timeoutMs: 0, replay: 'ask', effects: ['read'] });
  expect(await world.guard(world.toolCall('ask_user', { prompt: 'x' }))).toBeUndefined();
  expect(tools.check('ask_user', '{"prompt": ""}').ok).toBe(false);
});
