import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import { type Harness, runTurn, type ScriptedModel, type ScriptedRequest, startHarness, startScriptedModel } from '../../../helpers/in-process.ts';
import { createRandom, createToolBag, liveThrough, randomReply } from './random-chat.ts';
import { seed } from '../../../helpers/dice.ts';

const rejections: unknown[] = [];
const onRejection = (fault: unknown): void => void rejections.push(fault);
beforeAll(() => void process.on('unhandledRejection', onRejection));
afterAll(() => void process.removeListener('unhandledRejection', onRejection));

const said = (request: ScriptedRequest | undefined): any[] =>
  JSON.parse(JSON.stringify(request?.body.messages.slice(1) ?? []).replace(/(?:\\n\\n)?<system-note>.*?<\/system-note>/g, ''));
/** Whether the request continues a truncated reply. */
const isContinued = ({ content }: any): boolean => content === '' || String(content).startsWith('Your reply was cut off.');

/** Providers reject requests whose tool results do not directly follow the reply, in its order. */
function expectAnswered(request: ScriptedRequest): void {
  const messages = said(request).filter((message) => !JSON.stringify(message.content ?? '').includes('Images from'));
  messages.forEach((message, at) => {
    const ids = (message.tool_calls ?? []).map((call: any) => call.id);
    expect(messages.slice(at + 1, at + 1 + ids.length).map((answer) => answer.tool_call_id)).toEqual(ids);
    if (message.role === 'assistant') expect(ids.length > 0 || message.content !== '').toBe(true);
  });
}

/** One end per start, no turn event after its end, one result per started call. */
function expectInOrder(events: readonly JournalEvent[]): void {
  const open = new Set<string>();
  const ended = new Set<string>();
  const calls = new Map<unknown, number>();
  for (const event of events) {
    const { kind, turnId } = event;
    if (turnId === undefined) continue;
    if (kind !== 'message_accepted') expect([kind, ended.has(turnId)]).toEqual([kind, false]);
    if (kind === 'turn_start') expect(open.has(turnId)).toBe(false);
    if (kind === 'turn_start') open.add(turnId);
    if (kind === 'tool_start' && event['argsText'] !== undefined) calls.set(event['callId'], 0);
    if (kind === 'tool_result') calls.set(event['callId'], (calls.get(event['callId']) ?? 9) + 1);
    if (kind !== 'turn_end') continue;
    expect(open.delete(turnId)).toBe(true);
    ended.add(turnId);
  }
  expect([...open]).toEqual([]);
  expect([...calls.values()].filter((count) => count !== 1)).toEqual([]);
}

/** Sent messages stay identical, so that the provider cache hits; only a reset starts over. */
function expectStablePrefix(requests: readonly ScriptedRequest[], resets: number): void {
  // The newest message may grow in the next request: a user steer or the rest of a truncated reply joins it.
  const texts = requests.map((request) => {
    const messages = said(request);
    return JSON.stringify(isContinued(messages.at(-1)) ? messages.slice(0, -1) : messages).replace(/"?\}\]$/, '');
  });
  const begunAnew = texts.filter((text, at) => at > 0 && !text.startsWith(texts[at - 1] ?? ''));
  expect(begunAnew.length).toBeLessThanOrEqual(resets);
}

async function journalOf(harness: Harness): Promise<JournalEvent[]> {
  const { eventLog, chats } = { eventLog: harness.kernel.resolve('eventLog'), chats: harness.kernel.resolve('chats') };
  const events: JournalEvent[] = [];
  for await (const event of eventLog.read((await chats.active()).chatId)) events.push(event);
  return events;
}

function start(model: ScriptedModel, own: number, place: object = {}): Promise<Harness> {
  return startHarness({
    builtins: ['model-chat-completions'],
    environment: { ...model.environment, AGENT_MAX_ROUNDS: '6', AGENT_TRANSIENT_5XX_MAX_RETRIES: '3' },
    modules: { 'tool-bag': createToolBag(createRandom(own + 1000)) },
    ...place,
  });
}

const seeds = [1, 2, 3, 4, 5, 6].map((at) => seed + at);

test.each(seeds)('after a restart the model receives the identical conversation of a random chat (%i)', async (own) => {
  const random = createRandom(own);
  let isCalm = false;
  const model = await startScriptedModel(() => (isCalm ? { text: 'calm' } : randomReply(random)));
  const harness = await start(model, own);
  await liveThrough(harness, createRandom(own + 2000), 8);
  isCalm = true;
  await runTurn(harness, 'before the restart');
  const live = model.requests.at(-1);
  const journal = await journalOf(harness);
  expectInOrder(journal);
  expectStablePrefix(model.requests, journal.filter((event) => event.kind === 'conversation_reset').length);
  model.requests.forEach(expectAnswered);
  expect(await harness.close({ keepFiles: true })).toEqual([]);

  const next = await start(model, own, { home: harness.home, workspace: harness.workspace });
  await runTurn(next, 'after it');
  const folded = said(model.requests.at(-1));
  expect(folded).toEqual([...said(live), { role: 'assistant', content: 'calm' }, { role: 'user', content: 'after it' }]);
  expect(await next.close()).toEqual([]);
  await harness.close();
  await model.close();
  expect(rejections.splice(0)).toEqual([]);
});
