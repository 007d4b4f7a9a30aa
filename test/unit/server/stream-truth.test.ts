// Tests that badly connected readers end up with exactly the events that happened.
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import { type Harness, startHarness, startScriptedModel, useEach } from '../../helpers/in-process.ts';
import { rollDice } from '../../soak/kills/crash-bench.ts';
import { seed } from '../../helpers/dice.ts';
import { draw, emptyPicture, startRandomReader, type RandomReader } from './stream-reader.ts';

const dice = rollDice();
const turnsPerChat = 3;
let harness: Harness;
const readers: RandomReader[] = [];
const model = useEach(() =>
  startScriptedModel(({ body }) => {
    const words = Array.from({ length: 5 + dice.below(40) }, (_, index) => `${index} ${'ä😀x'.repeat(dice.below(40))} `);
    const wantsCalls = body.messages.at(-1).role !== 'tool' && dice.below(2) === 0;
    const call = { name: 'list_directory', args: {}, fragments: 2 };
    return { reasoning: ['let me ', 'see'], text: words, ...(wantsCalls ? { toolCalls: [call, call] } : {}), delayMs: 1 };
  }),
);
beforeEach(async () => {
  harness = await startHarness({ builtins, environment: model.environment });
});
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.stop()));
  await harness.close();
  // A restarted harness does not own its folders.
  for (const folder of [harness.home, harness.workspace]) await rm(folder, { recursive: true, force: true });
});

const builtins = ['model-chat-completions', 'files'];
const where = (): Harness => harness;

async function makeChats(count: number): Promise<string[]> {
  const made: string[] = [];
  for (let index = 0; index < count; index++) made.push((await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' })).body.chatId);
  return made;
}

async function journalOf(chatId: string): Promise<JournalEvent[]> {
  const events: JournalEvent[] = [];
  for await (const event of harness.kernel.resolve('eventLog').read(chatId)) events.push(event);
  return events;
}

async function playTurns(chatId: string): Promise<void> {
  for (let turn = 0; turn < turnsPerChat; turn++) {
    const { status, body } = await harness.call('POST', '/api/message', { chatId, text: `turn ${turn}` });
    expect(status).toBe(202);
    await harness.kernel.resolve('turns').ended(body.turnId);
  }
}

async function caughtUp(reader: RandomReader, chatId: string): Promise<JournalEvent[]> {
  for (;;) {
    const events = await journalOf(chatId);
    if (reader.lastId >= (events.at(-1)?.id ?? 0)) return events;
    await sleep(10);
  }
}

test(`readers that drop, pause and read slowly end with the picture of the journal, across a restart (SEED=${seed})`, async () => {
  const chatIds = await makeChats(3);
  const ofChats = chatIds.flatMap((chatId) => [0, 1].map(() => ({ chatId, reader: startRandomReader(where, chatId, dice) })));
  const ofAll = [0, 1].map(() => startRandomReader(where, 'all', dice));
  readers.push(...ofChats.map(({ reader }) => reader), ...ofAll);

  await Promise.all(chatIds.map(playTurns));
  for (const chatId of chatIds) await harness.call('POST', '/api/message', { chatId, text: 'cut short' });
  await model.request(model.requests.length);
  await harness.close({ keepFiles: true });
  const { home, workspace } = harness;
  harness = await startHarness({ home, workspace, builtins, environment: model.environment });
  await Promise.all(chatIds.map(playTurns));

  for (const { chatId, reader } of ofChats) {
    const events = await caughtUp(reader, chatId);
    const truth = emptyPicture();
    for (const event of events) draw(truth, event);
    expect(reader.faults).toEqual([]);
    expect(reader.resyncs).toBe(0);
    expect(reader.picture).toEqual(truth);
    expect(truth.ends.size).toBe(2 * turnsPerChat + 1);
    expect(reader.drops).toBeGreaterThan(0);
  }
  const ofEach = await Promise.all(chatIds.map(journalOf));
  const truth = emptyPicture();
  for (const event of ofEach.flat().sort((left, right) => left.id - right.id)) draw(truth, event);
  for (const reader of ofAll) {
    for (const chatId of chatIds) await caughtUp(reader, chatId);
    expect(reader.faults).toEqual([]);
    expect(reader.resyncs).toBe(0);
    expect(reader.picture).toEqual(truth);
    expect(reader.drops).toBeGreaterThan(0);
  }
}, 40_000);
