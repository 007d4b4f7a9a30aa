import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Emitter } from 'agent-harness/kernel';
import { createReplies } from '../../../../builtins/voice/speech/replies/replies.ts';
import { type EventStream, type Harness, openEventStream, startHarness, startScriptedModel, type StreamEvent, useEach } from '../../../helpers/in-process.ts';
import { createScriptedEngine, type ScriptedEngine } from './scripted-engine.ts';
import { createGate } from '../../plugins/agent/agent-bench.ts';

let engine: ScriptedEngine;
let harness: Harness;
let stream: EventStream;
let chatId: string;
async function start(environment: Record<string, string> = {}): Promise<void> {
  harness = await startHarness({
    builtins: ['audio-engines', 'speech', 'model-chat-completions'],
    environment: { ...model.environment, AGENT_TTS_ENABLED: '1', AGENT_TTS_MIN_INTERVAL_MS: '0', ...environment },
    modules: { 'test-voice': engine.module },
  });
  chatId = (await harness.call('POST', '/api/chats', {})).body.chatId;
  stream = await openEventStream(harness, { chatId });
}
const model = useEach(() => startScriptedModel());
beforeEach(async () => {
  engine = createScriptedEngine();
});

const claim = (speakerId = 'tab', on = true): ReturnType<Harness['call']> => harness.call('PUT', '/api/tts/speaker', { chatId, speakerId, on });
const send = async (text = 'go', more: object = {}): Promise<string> => (await harness.call('POST', '/api/message', { chatId, text, ...more })).body.turnId;
const ended = (turnId: string): Promise<StreamEvent> => stream.until((event) => event.kind === 'turn_end' && event['turnId'] === turnId);
const spoken = (): StreamEvent[] => stream.events.filter(({ kind }) => kind === 'speak');
const words = (): string =>
  spoken()
    .map((event) => String(event['text']))
    .join(' ');
const said = (end: string): Promise<StreamEvent> => stream.until((event) => event.kind === 'speak' && String(event['text']).endsWith(end));
/** Fetches each clip when its event arrives, as a player does, until a text ends with `end`. */
async function playUntil(end: string): Promise<void> {
  for (let at = 0; ; at++) {
    const event = await stream.until((one) => one.kind === 'speak' && spoken().indexOf(one) === at);
    const reply = await fetch(harness.url + String(event['url']), { headers: { authorization: `Bearer ${harness.token}` } });
    expect(reply.status).toBe(200);
    await reply.arrayBuffer();
    if (String(event['text']).endsWith(end)) return;
  }
}

test('speaks a reply sentence by sentence, the first one while the reply is still streaming', async () => {
  await start();
  const rest = createGate();
  model.push({
    text: ['The first sen', 'tence is here. The', ' second one', ' follows.\n\n- **And** an item\n', '\nThe end.'],
    stallAfter: 2,
    until: rest.opened,
  });
  const { epoch } = (await claim()).body;
  const turnId = await send();
  const first = await said('The first sentence is here.');
  expect(first).toMatchObject({ chatId, turnId, speakerId: 'tab', seq: 0, clipId: expect.stringMatching(/^clip_/), durationSec: null });
  expect(first['epoch']).toBeGreaterThan(epoch);
  expect(stream.events.some(({ kind }) => kind === 'turn_end')).toBe(false);
  rest.open();
  await playUntil('The end.');
  await ended(turnId);
  expect(words()).toBe('The first sentence is here. The second one follows. And an item. The end.');
  expect(spoken().map(({ seq }) => seq)).toEqual(spoken().map((_, index) => index));
  expect(new Set(spoken().map((event) => event['messageId'])).size).toBe(1);
});

test('speaks every sentence of 2,000 deltas once and in order, also after a reconnect', async () => {
  await start({ AGENT_TTS_MAX_CALLS_PER_TURN: '100' });
  const sentences = Array.from({ length: 400 }, (_, index) => `Sentence number ${index} says something of its own.`);
  const text = sentences.map((sentence, index) => (index % 7 === 6 ? `${sentence}\n\n` : `${sentence} `)).join('');
  const at = (index: number): number => Math.round((index * text.length) / 2_000);
  const deltas = Array.from({ length: 2_000 }, (_, index) => text.slice(at(index), at(index + 1)));
  model.push({ text: deltas });
  await claim();
  const turnId = await send();
  await stream.until('speak');
  const { lastId } = stream;
  const seen = spoken();
  stream.close();
  stream = await openEventStream(harness, { chatId }, lastId);
  stream.events.push(...seen);
  await playUntil('number 399 says something of its own.');
  await ended(turnId);
  const bySeq = new Map(spoken().map((event) => [event['seq'], String(event['text'])]));
  expect([...bySeq.keys()].sort((a, b) => a - b)).toEqual([...bySeq.keys()].map((_, index) => index));
  expect(spoken()).toHaveLength(bySeq.size);
  const all = [...bySeq].sort(([a], [b]) => a - b).map(([, part]) => part);
  expect(all.join(' ')).toBe(sentences.join(' '));
  expect(engine.texts).toEqual(all);
  expect(all.every((part, index) => part.length <= (index === 0 ? 120 : 400))).toBe(true);
});

test('speaks nothing while no speaker has claimed the chat', async () => {
  await start();
  model.push({ text: 'Nobody hears this.' }, { text: 'Nor this.' });
  await ended(await send());
  await claim();
  await claim('tab', false);
  await ended(await send());
  expect(engine.texts).toEqual([]);
  expect(spoken()).toEqual([]);
});

test('gives the chat to the newest claim, notifies others, and ignores a release by another speaker', async () => {
  await start();
  const first = (await claim('one')).body;
  expect(first.speakerId).toBe('one');
  const second = (await claim('two')).body;
  expect(second.speakerId).toBe('two');
  expect(second.epoch).toBeGreaterThan(first.epoch);
  expect(await stream.until((event) => event.kind === 'speaker' && event['speakerId'] === 'two')).toMatchObject({
    chatId,
    epoch: second.epoch,
    reason: 'claimed',
  });
  expect((await claim('two')).body).toEqual(second);
  expect((await claim('one', false)).body).toEqual(second);
  expect((await claim('two', false)).body.speakerId).toBeNull();
  expect(await stream.until((event) => event.kind === 'speaker' && event['speakerId'] === null)).toMatchObject({ reason: 'released' });
});

test('renews a claim only if no other speaker has claimed the chat', async () => {
  await start();
  const renew = (): ReturnType<Harness['call']> => harness.call('PUT', '/api/tts/speaker', { chatId, speakerId: 'one', on: true, renew: true });
  await claim('one');
  const second = (await claim('two')).body;
  expect((await renew()).body).toEqual(second);
  await claim('two', false);
  expect((await renew()).body.speakerId).toBe('one');
});

test('releases a claim after more than half a minute without a stream reader', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let isRead = true;
  const reasons: unknown[] = [];
  const emitter = { on: () => ({ dispose: () => undefined }), emit: (_: string, { reason }: { reason: string }) => reasons.push(reason) };
  const replies = createReplies({
    emitter: emitter as unknown as Emitter,
    make: () => Promise.reject(new Error('nothing is said')),
    allows: () => true,
    makeTooMany: () => new Error('too many') as never,
    prepare: () => undefined,
    isRead: () => isRead,
  });
  replies.claim('c', 'tab', true);
  isRead = false;
  vi.advanceTimersByTime(28_000);
  isRead = true;
  vi.advanceTimersByTime(4_000);
  isRead = false;
  vi.advanceTimersByTime(20_000);
  expect(reasons).toEqual(['claimed']);
  replies.claim('c', 'tab', true);
  vi.advanceTimersByTime(34_000);
  expect(reasons).toEqual(['claimed', 'released']);
  replies.close();
});

test('reports a failed part and speaks the parts after it', async () => {
  await start();
  engine.fault = (text) => (text.includes('bad') ? Object.assign(new Error('the voice is hoarse'), { code: 'TEST_ERR_HOARSE' }) : undefined);
  const long = (text: string): string => `${text} ${'and it goes on '.repeat(20)}.`;
  model.push({ text: `A good one. ${long('A bad one')} ${long('Another good one')}` });
  await claim();
  await ended(await send());
  await stream.until((event) => event.kind === 'speak' && String(event['text']).startsWith('Another good one'));
  const failed = stream.events.filter(({ kind }) => kind === 'speak_failed');
  expect(failed.map(({ seq, text, code, message }) => [seq, String(text).slice(0, 9), code, message])).toEqual([
    [1, 'A bad one', 'TEST_ERR_HOARSE', 'the voice is hoarse'],
  ]);
  expect(spoken().map(({ seq }) => seq)).toEqual([0, 2]);
});

test('starts a new epoch on interruption, aborts synthesis, and sends the text played so far to the model', async () => {
  await start();
  const rest = createGate();
  engine.between = () => new Promise(() => undefined);
  model.push({ text: ['One sentence is here. ', 'Two is made. ', 'Three is not. '], stallAfter: 3, until: rest.opened }, { text: 'ok' }, { text: 'ok' });
  await claim();
  const turnId = await send();
  const first = await said('One sentence is here.');
  const { body } = await harness.call('POST', '/api/tts/heard', { chatId, epoch: first['epoch'], seq: 0, heardChars: 12, reason: 'barge_in' });
  expect(body.epoch).toBeGreaterThan(first['epoch']);
  expect(engine.signals[0]?.aborted).toBe(true);
  expect(await stream.until((event) => event.kind === 'speaker' && event['reason'] === 'barge_in')).toMatchObject({ epoch: body.epoch });
  rest.open();
  await ended(turnId);
  expect(engine.texts).toEqual(['One sentence is here.']);
  engine.between = () => undefined;
  await ended(await send('what?'));
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('They heard it up to: \\"One sentence\\"');
  await said('ok.');
  await ended(await send('and now?'));
  expect(JSON.stringify(model.requests[2]?.body.messages)).not.toContain('They heard it');
});

test('stops speaking the last reply on a new message and still accepts its heard position', async () => {
  await start();
  engine.between = (text) => (text.startsWith('Old') ? new Promise(() => undefined) : undefined);
  model.push({ text: 'Old words are long. Very long.' }, { text: 'New words.' });
  await claim();
  await ended(await send());
  const old = await said('Old words are long.');
  const turnId = await send('next');
  expect(engine.signals[0]?.aborted).toBe(true);
  await said('New words.');
  await ended(turnId);
  expect(spoken().at(-1)?.['epoch']).toBeGreaterThan(old['epoch']);
  const reply = await harness.call('POST', '/api/tts/heard', { chatId, epoch: old['epoch'], seq: 0, heardChars: 3, reason: 'stop' });
  expect(reply.body.epoch).toBe(spoken().at(-1)?.['epoch']);
});

test('reports whether more clips follow: while writing or synthesizing, but not after the end', async () => {
  await start();
  const [written, made] = [createGate(), createGate()];
  engine.before = (text) => (text.startsWith('Two') ? made.opened : undefined);
  model.push({ text: ['One is here. ', 'Two', ' is made. '], stallAfter: 1, until: written.opened });
  await claim();
  const turnId = await send();
  const { epoch } = await said('One is here.');
  const more = async (seq: number): Promise<unknown> =>
    (await harness.call('POST', '/api/tts/heard', { chatId, epoch, seq, heardChars: 12, reason: 'finished' })).body.more;
  expect(await more(0)).toBe(true);
  written.open();
  await ended(turnId);
  expect(await more(0)).toBe(true);
  made.open();
  await said('Two is made.');
  // The clip was emitted, but the caller may not have received it yet.
  expect(await more(0)).toBe(true);
  await expect.poll(() => more(1)).toBe(false);
  const { body } = await harness.call('POST', '/api/tts/heard', { chatId, epoch, seq: 0, heardChars: 3, reason: 'stop' });
  expect(body.more).toBe(false);
});

test('stops speaking when the turn is aborted', async () => {
  await start();
  engine.between = () => new Promise(() => undefined);
  model.push({ text: ['Words are here. ', 'More. '], stallAfter: 1 });
  await claim();
  const turnId = await send();
  await said('Words are here.');
  await harness.call('POST', '/api/session/abort', { chatId });
  expect(engine.signals[0]?.aborted).toBe(true);
  expect((await ended(turnId))['reason']).toBe('aborted');
  expect(spoken()).toHaveLength(1);
});

test('stops speaking on reset and speaks the next reply to the same speaker', async () => {
  await start();
  engine.between = (text) => (text.startsWith('Old') ? new Promise(() => undefined) : undefined);
  model.push({ text: 'Old words.' }, { text: 'New words.' });
  await claim();
  await ended(await send());
  const old = await said('Old words.');
  expect((await harness.call('POST', '/api/session/reset', { chatId, mode: 'soft' })).status).toBe(200);
  expect(engine.signals[0]?.aborted).toBe(true);
  await ended(await send());
  expect((await said('New words.'))['epoch']).toBeGreaterThan(old['epoch']);
});

test('synthesizes only a few clips ahead of playback', async () => {
  await start({ AGENT_TTS_MAX_CALLS_PER_TURN: '100' });
  const text = Array.from({ length: 60 }, (_, index) => `This is a sentence with the number ${index} in it.`).join(' ');
  model.push({ text });
  await claim();
  await ended(await send());
  await stream.until((event) => event.kind === 'speak' && event['seq'] === 3);
  await harness.call('GET', '/api/status');
  expect(engine.texts).toHaveLength(4);
  await playUntil('number 59 in it.');
  expect(words()).toBe(text);
});

test('stops speaking at the limit per turn and reports it once', async () => {
  await start({ AGENT_TTS_MAX_CHARS_PER_CALL: '100', AGENT_TTS_MAX_CALLS_PER_TURN: '1' });
  model.push({ text: `Some words. ${'More words '.repeat(20)}. The rest.` });
  await claim();
  await ended(await send());
  const failed = await stream.until('speak_failed');
  expect(failed).toMatchObject({ code: 'SPEECH_ERR_TOO_MANY_CALLS' });
  expect(words()).toBe('Some words.');
  expect(stream.events.filter(({ kind }) => kind === 'speak_failed')).toHaveLength(1);
});

test('keeps counting speech toward the limit of a turn that has already ended', async () => {
  await start({ AGENT_TTS_MAX_CHARS_PER_CALL: '100', AGENT_TTS_MAX_CALLS_PER_TURN: '1' });
  const first = createGate();
  engine.between = () => first.opened;
  model.push({ text: `${'word '.repeat(17)}end. ${'more '.repeat(10)}words.` });
  await claim();
  await ended(await send());
  first.open();
  expect(await stream.until('speak_failed')).toMatchObject({ code: 'SPEECH_ERR_TOO_MANY_CALLS', text: expect.stringContaining('more') });
  expect(spoken()).toHaveLength(1);
});

test('places speech of the speak tool between the sentences in order', async () => {
  await start({ AGENT_TOOL_LAZY: '0' });
  model.push({ text: 'Before the call. ', toolCalls: [{ name: 'speak', args: { text: 'By the tool.' } }] }, { text: 'Behind it.' });
  await claim();
  await ended(await send());
  await said('Behind it.');
  expect(spoken().map(({ seq, text }) => [seq, text])).toEqual([
    [0, 'Before the call.'],
    [1, 'By the tool.'],
    [2, 'Behind it.'],
  ]);
});

test('does not repeat sentences of a retried model reply', async () => {
  await start({ AGENT_RETRY_MAX_DELAY_MS: '1' });
  model.push({ text: ['Same words here. ', 'Lost words'], cutAfter: 2 }, { text: ['Same words here. ', 'Other words.'] });
  await claim();
  await ended(await send());
  await said('Other words.');
  expect(words()).toBe('Same words here. Other words.');
});
