// Tests generated chat titles: when one is requested, how the reply is parsed, and when it is removed.
import { expect, test } from 'vitest';
import { readTitle } from '../../../../builtins/turn/chat-titles/read-title.ts';
import { startHarness } from '../../../helpers/harness.ts';
import { startScriptedModel } from '../../../helpers/scripted-model.ts';

const long = 'Please look at the function add in lib.mjs, which returns a string in place of a number, and fix it with a test.';

test('reads a title as one short line without quotes and rejects a whole answer', () => {
  expect(['"Fix add in lib.mjs."', '# Fix add', '**Title: Fix add**', '修复加法。', '\n  Fix add  \n\nand more'].map(readTitle)).toEqual([
    ...['Fix add in lib.mjs', 'Fix add', 'Fix add', '修复加法', 'Fix add'],
  ]);
  const answer = 'Sure, I can do that: first I would read the file and then I would change the line in question.';
  expect(['', '…', '"."', answer].map(readTitle)).toEqual([undefined, undefined, undefined, undefined]);
});

async function startWorld(environment: Readonly<Record<string, string>> = {}) {
  const model = await startScriptedModel([
    { when: ({ body }) => JSON.stringify(body).includes('Write a title'), always: true, text: '"Fix add in lib.mjs"' },
    { always: true, text: 'Done.' },
  ]);
  const harness = await startHarness({
    builtins: ['model-chat-completions', 'chat-titles'],
    environment: { ...model.environment, AGENT_CHAT_TITLES: '1', ...environment },
  });
  const asked = () => model.requests.filter(({ body }) => JSON.stringify(body).includes('Write a title')).length;
  const say = async (text: string) => {
    const { chatId } = (await harness.call('POST', '/api/chats', {})).body;
    await harness.call('POST', '/api/message', { chatId, text });
    await expect
      .poll(async () => (await harness.call('GET', `/api/chats/${chatId}/transcript`)).body.entries.filter((entry: any) => entry.kind === 'assistant').length)
      .toBe(1);
    return chatId as string;
  };
  const titleOf = async (chatId: string) => (await harness.call('GET', '/api/chats')).body.chats.find((chat: any) => chat.chatId === chatId)?.title;
  return { harness, asked, say, titleOf };
}

test('requests a title for a long first message and uses a short message as the title', async () => {
  const { asked, say, titleOf } = await startWorld();
  const named = await say(long);
  await expect.poll(() => titleOf(named)).toBe('Fix add in lib.mjs');
  const short = await say('list the files');
  expect(await titleOf(short)).toBe('list the files');
  expect(asked()).toBe(1);
});

test('removes a generated title together with its message and keeps a manual one', async () => {
  const { harness, say, titleOf } = await startWorld();
  const [first, second] = [await say(long), await say(long)];
  for (const chatId of [first, second]) await expect.poll(() => titleOf(chatId)).toBe('Fix add in lib.mjs');
  await harness.kernel.resolve('chats').change(second, { title: 'Mine' });
  for (const chatId of [first, second]) {
    const { entries } = (await harness.call('GET', `/api/chats/${chatId}/transcript`)).body;
    const { id } = entries.find((entry: any) => entry.kind === 'user');
    expect(await harness.kernel.resolve('turns').remove(chatId, id)).toEqual([]);
  }
  expect([await titleOf(first), await titleOf(second)]).toEqual(['New chat', 'Mine']);
});

test('when disabled, sends no request', async () => {
  const { asked, say, titleOf } = await startWorld({ AGENT_CHAT_TITLES: '0' });
  const chatId = await say(long);
  expect((await titleOf(chatId)).startsWith('Please look at')).toBe(true);
  expect(asked()).toBe(0);
});
