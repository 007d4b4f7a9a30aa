// Tests removals in a conversation without a UI plugin: requests, forks, restarts, calls by id, work after a turn.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHarness } from '../../../helpers/harness.ts';
import { addTools, ownTool, useAgentBench, type AgentBench } from './agent-bench.ts';

const open = useAgentBench();
const word = 'marigold';
const said = `The secret word of the harbour is ${word}, keep it in mind.`;

async function turn(bench: AgentBench, text: string, ...replies: any[]): Promise<{ turnId: string; messageId: string; chatId: string }> {
  bench.model.push(...(replies.length === 0 ? [{ text: 'Noted.' }] : replies));
  const { body } = await bench.send(text);
  await bench.ended(body.turnId);
  return body;
}
const lastRequest = ({ model }: AgentBench): string => JSON.stringify(model.requests.at(-1)?.body.messages);
const removedIds = async (bench: AgentBench, chatId: string): Promise<string[]> =>
  (await bench.call('GET', `/api/chats/${chatId}/transcript`)).body.entries.flatMap((entry: any) => (entry.isRemoved ? [entry.id] : []));

test('a removed message is absent from later requests and forks until it is restored', async () => {
  const bench = await open();
  const turns = bench.kernel.resolve('turns');
  const { chatId, messageId, turnId } = await turn(bench, said);
  await turn(bench, 'Go on.');
  expect(await turns.remove(chatId, messageId)).toEqual([]);
  await turn(bench, 'And now?');
  expect(lastRequest(bench)).not.toContain(word);
  expect(lastRequest(bench)).toContain('The user removed this from the conversation');
  expect(await removedIds(bench, chatId)).toEqual([messageId]);

  // This fork ends before the removal event.
  const fork = (await bench.call('POST', `/api/chats/${chatId}/fork`, { atTurn: turnId })).body.chatId;
  bench.model.push({ text: 'Noted.' });
  const { body } = await bench.send('In the fork.', { chatId: fork });
  await bench.ended(body.turnId);
  expect(lastRequest(bench)).not.toContain(word);
  expect(await removedIds(bench, fork)).toEqual([messageId]);

  await turns.restore(chatId, messageId);
  await bench.call('POST', `/api/chats/${chatId}/activate`, {});
  await turn(bench, 'Once more.');
  expect(lastRequest(bench)).toContain(word);
  expect(await removedIds(bench, chatId)).toEqual([]);
});

test('the removal list of an earlier version moves into the journal once', async () => {
  const bench = await open();
  const { chatId, messageId } = await turn(bench, said);
  const { home, workspace, model } = bench;
  await bench.close({ keepFiles: true });
  const folder = join(home, 'chats', chatId);
  await writeFile(join(folder, 'taken-out.json'), JSON.stringify([{ id: messageId, text: said, left: ['dream'] }]));

  const harness = await startHarness({ builtins: ['model-chat-completions'], environment: model.environment, home, workspace });
  const { turns, eventLog } = { turns: harness.kernel.resolve('turns'), eventLog: harness.kernel.resolve('eventLog') };
  expect(JSON.stringify(await turns.conversation(chatId))).not.toContain(word);
  expect([...(await eventLog.removed(chatId))]).toEqual([[messageId, ['dream']]]);
  expect(await readdir(folder)).not.toContain('taken-out.json');
  const journal = await readFile(join(folder, 'session.jsonl'), 'utf8');
  expect(journal.match(/"kind":"entry_removed"/g)).toHaveLength(1);
  expect(journal).toContain(word);
  expect(await harness.close()).toEqual([]);
});

test('reading a removed entry by id is rejected, also in a running turn', async () => {
  const bench = await open(addTools(ownTool('look', () => 'Nothing.')));
  const file = { name: 'harbour.txt', dataUrl: `data:text/plain;base64,${Buffer.from(said).toString('base64')}` };
  bench.model.push({ text: 'Noted.' });
  const { body } = await bench.send('Hi', { attachments: [file] });
  await bench.ended(body.turnId);
  const [{ attachmentId }] = (await bench.call('GET', `/api/chats/${body.chatId}/transcript`)).body.entries[0].attachments;
  await bench.kernel.resolve('turns').remove(body.chatId, body.messageId);
  await turn(bench, 'Read it.', { toolCalls: [{ name: 'look', args: { path: attachmentId } }] }, { text: 'I cannot.' });
  expect(lastRequest(bench)).toContain('The user removed this content from the conversation.');
});

test('the removal signal of a turn aborts for its own removals only, also if requested later', async () => {
  const bench = await open();
  const turns = bench.kernel.resolve('turns');
  const first = await turn(bench, said);
  const second = await turn(bench, 'Go on.');
  const signals = await Promise.all([first, second].map(({ chatId, turnId }) => turns.removalSignal(chatId, turnId)));
  await turns.remove(first.chatId, first.messageId);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  const { entries } = (await bench.call('GET', `/api/chats/${first.chatId}/transcript`)).body;
  const answer = entries.findLast((entry: any) => entry.kind === 'assistant');
  await turns.remove(first.chatId, answer.id);
  expect((await turns.removalSignal(second.chatId, second.turnId)).aborted).toBe(true);
});

test('plugins that failed to drop an entry stay in the journal until they succeed', async () => {
  let isBroken = true;
  const bench = await open((_, emitter) =>
    emitter.tap('entry.removed', () => {
      if (isBroken) throw new Error('the disk is full');
    }),
  );
  const turns = bench.kernel.resolve('turns');
  const eventLog = bench.kernel.resolve('eventLog');
  const { chatId, messageId } = await turn(bench, said);
  expect(await turns.remove(chatId, messageId)).toEqual([{ plugin: 'own', why: 'the disk is full' }]);
  expect([...(await eventLog.removed(chatId))]).toEqual([[messageId, ['own']]]);
  isBroken = false;
  expect(await turns.remove(chatId, messageId)).toEqual([]);
  expect([...(await eventLog.removed(chatId))]).toEqual([[messageId, []]]);
});

test('taps of a running turn do not receive its removed message', async () => {
  const texts: string[] = [];
  let remove = (): Promise<unknown> => Promise.resolve();
  const bench = await open((registry, emitter) => {
    addTools(ownTool('look', () => remove().then(() => 'Nothing.')))(registry);
    emitter.tap('round.before', ({ text }: any) => void texts.push(text));
  });
  const turns = bench.kernel.resolve('turns');
  bench.kernel.emitter.on('message_accepted', ({ chatId, messageId }) => (remove = () => turns.remove(chatId, messageId)));
  await turn(bench, said, { toolCalls: [{ name: 'look', args: {} }] }, { text: 'Noted.' });
  expect(texts.map((text) => text.includes(word))).toEqual([true, false]);
  expect(lastRequest(bench)).not.toContain(word);
});
