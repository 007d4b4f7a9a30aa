import { emptyTranscript, handle, isIdle, outcomeOf, reduce, type ChatEvent, type Transcript } from 'agent-harness/transcript';
import { expect, test } from 'vitest';

const at = '2026-01-01T00:00:00.000Z';
const turnId = 'turn_1';
let id = 0;
const event = (kind: string, fields: object = {}): ChatEvent => ({ id: ++id, at, chatId: 'chat_1', turnId, kind, ...fields });
const message = (more: object = {}): ChatEvent => event('message_accepted', { messageId: 'msg_1', text: 'go', attachments: [], ...more });
const say = (delta: string, messageId = 'msg_2'): ChatEvent => event('text', { messageId, offset: 0, delta, channel: 'user' });
const result = (ok: boolean): ChatEvent => event('tool_result', { callId: 'call_1', name: 'look', ok, output: 'all' });
const after = (...events: ChatEvent[]): Transcript => reduce(emptyTranscript, events).state;

test('a waiting, running or unknown turn has no outcome', () => {
  for (const chat of [after(message()), after(message(), event('turn_start')), after(event('turn_start'), say('a'))]) {
    expect(outcomeOf(chat, turnId)).toBeUndefined();
    expect(isIdle(chat)).toBe(false);
  }
  const queued = after(event('turn_start', { turnId: 'turn_0' }), message(), event('turn_end', { turnId: 'turn_0', reason: 'done' }));
  expect([outcomeOf(queued, turnId), isIdle(queued)]).toEqual([undefined, false]);
  expect([outcomeOf(emptyTranscript, turnId), isIdle(emptyTranscript)]).toEqual([undefined, true]);
});

test.each([
  ['its last text', [say('Half.'), result(true), say('All.', 'msg_3')], { reason: 'done', text: 'All.' }],
  ['the last call without a following text', [say('Half.'), result(false)], { reason: 'done', text: 'Half.', result: { name: 'look', ok: false } }],
  ['nothing', [], { reason: 'done', text: '' }],
])('the outcome of a finished turn comes from %s', (_what, events, outcome) => {
  const chat = after(message(), event('turn_start'), ...events, event('turn_end', { reason: 'done' }));
  expect(outcomeOf(chat, turnId)).toMatchObject(outcome);
  expect(outcomeOf(chat, turnId)?.result !== undefined).toBe('result' in outcome);
  expect(isIdle(chat)).toBe(true);
});

test.each([
  [{ reason: 'error', error: { code: 'x', message: 'The key is wrong.' } }, 'error', 'The key is wrong.'],
  [{ reason: 'budget' }, 'budget', 'Stopped: the budget is used up.'],
  [{ reason: 'budget', error: { code: 'day_budget', message: 'Raise it.' } }, 'budget', 'Stopped: the budget is used up. Raise it.'],
  [{ reason: 'aborted', isUnqueued: true }, 'aborted', 'Withdrawn: the turn before it was stopped, so the model did not get this message.'],
])('an outcome other than a reply includes its reason: %j', (end, reason, why) => {
  const note = event('critic_verdict', { shown: { text: 'Looks good.' } });
  expect(outcomeOf(after(message(), event('turn_start'), event('turn_end', end), note), turnId)).toMatchObject({ reason, why });
});

test('handle calls only the handlers of named event kinds', () => {
  const handlers = { text: ({ delta }: { readonly delta: string }) => delta, turn_end: () => 'over' };
  expect([say('a'), event('turn_end'), result(true), event('toString')].map((one) => handle(one, handlers))).toEqual(['a', 'over', undefined, undefined]);
});

test.each([
  ['user', 'denied'],
  ['rule', 'denied'],
  ['timeout', 'expired'],
  ['abort', 'stopped'],
])('a call rejected by %s is %s', (by, state) => {
  const decision = event('approval_decision', { callId: 'call_1', approvalId: 'appr_1', decision: 'reject', by });
  expect(after(message(), event('turn_start'), decision, result(false)).entries.at(-1)).toMatchObject({ kind: 'tool', state });
});
