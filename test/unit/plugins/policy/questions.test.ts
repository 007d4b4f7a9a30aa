import { beforeEach, expect, test } from 'vitest';
import { createWorld, waitingIn, type World } from '../tools/fake-world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const ask = (prompt: string, options?: readonly string[], signal = new AbortController().signal): Promise<string> =>
  world.kernel
    .resolve('approvals')
    .ask({ prompt, ...(options ? { options } : {}) }, { chatId: world.chatId, turnId: 'turn', callId: 'call', signal, waiting: waitingIn(world.waits) });
const answer = (askId: string, text: string): Promise<any> => world.call('POST /api/answer', { body: { askId, answer: text } });

test('two concurrent questions have separate ids and answers', async () => {
  const [first, second] = [ask('A?', ['yes', 'no']), ask('B?')];
  const [one, two] = [await world.seen('ask_user'), await world.seen('ask_user')];
  expect(one).toEqual({
    askId: expect.stringMatching(/^ask_/),
    chatId: world.chatId,
    turnId: 'turn',
    callId: 'call',
    prompt: 'A?',
    options: ['yes', 'no'],
    since: expect.any(String),
  });
  expect((await world.call('GET /api/pending')).questions).toEqual([one, two]);
  expect(await answer(two.askId, 'b')).toEqual({ ok: true });
  await answer(one.askId, 'neither');
  expect(await Promise.all([first, second])).toEqual(['neither', 'b']);
  expect(await world.seen('ask_user_answered')).toEqual({ askId: two.askId, chatId: world.chatId, turnId: 'turn', callId: 'call', answer: 'b' });
  expect(world.waits).toEqual(['answer', 'answer', 'answer over', 'answer over']);
});

test('rejects an answer to an unknown id and a second answer', async () => {
  const asked = ask('A?');
  const { askId } = await world.seen('ask_user');
  for (const id of ['x', world.kernel.resolve('storage').createId('ask')])
    await expect(answer(id, 'a')).rejects.toMatchObject({ code: 'POLICY_ERR_NOT_FOUND', status: 404 });
  const answers = await Promise.allSettled([answer(askId, 'a'), answer(askId, 'b')]);
  expect(answers[1]).toMatchObject({ reason: { code: 'POLICY_ERR_ALREADY_RESOLVED', status: 409 } });
  expect(await asked).toBe('a');
});

test('an answer counts only after it is on disk', async () => {
  world.control.flush = () => Promise.reject(new Error('disk full'));
  const asked = ask('A?');
  const { askId } = await world.seen('ask_user');
  const results = await Promise.allSettled([answer(askId, 'a'), asked]);
  expect(results.map((one) => one.status)).toEqual(['rejected', 'rejected']);
});

test('pending questions are listed for the active chat, a given chat, or all chats', async () => {
  const asked = ask('A?');
  const { askId } = await world.seen('ask_user');
  const other = world.kernel.resolve('storage').createId('chat');
  const count = async (query: object): Promise<number> => (await world.call('GET /api/pending', { query })).questions.length;
  expect([await count({}), await count({ chatId: world.chatId }), await count({ chatId: 'all' }), await count({ chatId: other })]).toEqual([1, 1, 1, 0]);
  world.control.activeId = other;
  expect(await count({})).toBe(0);
  world.control.activeId = undefined;
  expect(await count({})).toBe(0);
  await expect(count({ chatId: '../x' })).rejects.toMatchObject({ code: 'CHATS_ERR_NOT_FOUND' });
  await answer(askId, 'a');
  await asked;
});

test('remembers the last thousand answered ids and forgets older ones', async () => {
  const approvals = world.kernel.resolve('approvals');
  const ids: string[] = [];
  for (let count = 0; count < 1_001; count++) {
    const asked = ask('A?');
    ids.push(approvals.pending().questions[0]?.askId ?? '');
    await answer(ids[count] ?? '', 'a');
    await asked;
  }
  await expect(answer(ids[0] ?? '', 'a')).rejects.toMatchObject({ status: 404 });
  await expect(answer(ids[1] ?? '', 'a')).rejects.toMatchObject({ status: 409 });
});
