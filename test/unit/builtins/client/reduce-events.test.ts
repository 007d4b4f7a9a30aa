// Tests the effect of single events on the chat state, without a server.
import type { ChatState, Entry, WireEvent } from 'agent-harness/client';
import { expect, it } from 'vitest';
import { reduceEvents } from '../../../../builtins/clients/client/reduce-events.ts';
import { emptyChat, eventOf } from './parts.ts';

const at = '2026-01-01T00:00:00.000Z';
const empty = emptyChat();
const says = (offset: number, delta: string, messageId = 'm2'): WireEvent => eventOf('text', { messageId, offset, delta, channel: 'user' });
const begun = [eventOf('message_accepted', { messageId: 'm1', text: 'Go', attachments: [] }), eventOf('turn_start', { messageId: 'm1', model: 'x' })];
const after = (events: readonly WireEvent[], state = empty): ChatState => reduceEvents(state, events, 1).state;
const tool = (state: ChatState, id: string): Extract<Entry, { kind: 'tool' }> => state.entries.find((entry) => entry.id === id) as never;

it('assembles text by offset and ignores repeated deltas', () => {
  const state = after([...begun, says(0, 'Hello'), says(5, ' you'), says(0, 'Hello'), says(5, ' you')]);
  expect(state.entries[1]).toMatchObject({ kind: 'assistant', text: 'Hello you', isStreaming: true });
  expect(after([says(5, ' you')], state)).toBe(state);
});

it('requests a reload when an earlier part of a text is missing, and shows the received part', () => {
  const { state, needsReload } = reduceEvents(after(begun), [says(5, ' you')], 1);
  expect(needsReload).toBe(true);
  expect(state.entries[1]).toMatchObject({ text: ' you' });
  expect(reduceEvents(after([...begun, says(0, 'Hello')]), [says(9, '?'), says(5, ' you')], 1)).toMatchObject({ needsReload: true });
});

it('drops only the output of the failed attempt on a provider retry', () => {
  const whole = [says(0, 'Whole.'), eventOf('usage', { purpose: 'chat', input: 1, output: 1, cached: 0 })];
  const failing = [says(0, 'Half', 'm3'), eventOf('tool_start', { callId: 'k1', messageId: 'm3', name: 'shell' })];
  const state = after([...begun, ...whole, ...failing, eventOf('provider_retry', { attempt: 1, of: 3, reason: 'overloaded', purpose: 'title' })]);
  expect(state.entries.map((entry) => entry.id)).toEqual(['m1', 'm2', 'm3', 'k1']);
  const retried = after([eventOf('provider_retry', { attempt: 1, of: 3, reason: 'overloaded', delayMs: 2_000 })], state);
  expect(retried.entries.map((entry) => entry.id)).toEqual(['m1', 'm2']);
  expect(retried.running).toMatchObject({
    waitingFor: 'retry',
    retry: { attempt: 1, of: 3, reason: 'overloaded', until: new Date(Date.parse(at) + 2_000).toISOString() },
  });
  const again = after([says(0, 'Once more', 'm4')], retried);
  expect(again.running).toMatchObject({ waitingFor: 'model' });
  expect(again.running).not.toHaveProperty('retry');
});

it('places a message accepted between two turns after the queued messages', () => {
  const sent = (turn: number): WireEvent => eventOf('message_accepted', { messageId: `m${turn}`, turnId: `t${turn}`, text: `${turn}`, attachments: [] });
  const start = (turn: number): WireEvent => eventOf('turn_start', { messageId: `m${turn}`, turnId: `t${turn}`, model: 'x' });
  const end = (turn: number): WireEvent => eventOf('turn_end', { turnId: `t${turn}`, reason: 'done' });
  const answer = (turn: number): WireEvent => eventOf('text', { turnId: `t${turn}`, messageId: `a${turn}`, offset: 0, delta: 'So.', channel: 'user' });
  const order = (...events: WireEvent[]): string[] => after(events).entries.map(({ id }) => id);
  const waiting = [sent(1), start(1), sent(2), answer(1), end(1), sent(3)];
  expect(order(...waiting)).toEqual(['m1', 'a1', 'm2', 'm3']);
  expect(order(...waiting, start(2), answer(2), end(2), sent(4), start(3), answer(3), end(3), start(4))).toEqual(['m1', 'a1', 'm2', 'a2', 'm3', 'a3', 'm4']);
  expect(after([sent(1), start(1), end(1), sent(2)]).entries.at(-1)).toMatchObject({ id: 'm2', state: 'accepted' });
});

it('tracks several tool calls in parallel', () => {
  const start = (callId: string, more: object = {}): WireEvent => eventOf('tool_start', { callId, messageId: 'm2', name: 'shell', ...more });
  const written = after([
    ...begun,
    ...[start('k1'), start('k2'), eventOf('tool_delta', { callId: 'k1', argsDelta: '{"a"' }), eventOf('tool_delta', { callId: 'k2', argsDelta: '{"b":' })],
    ...[eventOf('tool_delta', { callId: 'k1', argsDelta: ':1}' }), eventOf('tool_delta', { callId: 'k2', argsDelta: '2}' })],
  ]);
  expect(tool(written, 'k1')).toMatchObject({ state: 'writing', argsText: '{"a":1}' });
  expect(tool(written, 'k2')).toMatchObject({ state: 'writing', argsText: '{"b":2}' });

  const running = after([start('k1', { args: { a: 1 } }), start('k2', { args: { b: 2 } }), eventOf('tool_progress', { callId: 'k2', note: 'half' })], written);
  expect(tool(running, 'k2')).toMatchObject({ state: 'running', args: { b: 2 }, progress: ['half'] });
  expect(running.running).toMatchObject({ waitingFor: 'tool' });
  const result = { name: 'shell', ok: true, output: 'out', durationMs: 3 };
  const one = after([eventOf('tool_result', { callId: 'k2', ...result })], running);
  expect(tool(one, 'k1')).toBe(tool(running, 'k1'));
  expect(one.running).toBe(running.running);
  const both = after([eventOf('tool_result', { callId: 'k1', ...result, ok: false, untrusted: true, artifactId: 'a', truncated: true })], one);
  expect(tool(both, 'k1')).toMatchObject({ state: 'failed', output: 'out', untrusted: true, truncated: true, artifactId: 'a' });
  expect(both.running).toMatchObject({ waitingFor: 'model' });
});

it('shows calls behind a pending approval as queued and counts their time from their start', () => {
  const later = '2026-01-01T00:05:00.000Z';
  const start = (callId: string): WireEvent => eventOf('tool_start', { callId, messageId: 'm2', name: 'shell', args: {} });
  const asked = { callId: 'k1', name: 'shell', approvalId: 'a1', args: {}, effects: ['execute'], reason: 'It runs.', expiresAt: at };
  const events = [start('k1'), start('k2'), start('k3'), eventOf('tool_running', { callId: 'k1' }), eventOf('tool_approval', asked)];
  const waiting = after([...begun, ...events]);
  expect(['k1', 'k2', 'k3'].map((id) => tool(waiting, id).state)).toEqual(['waiting', 'queued', 'queued']);
  const decision = { ...eventOf('approval_decision', { callId: 'k1', approvalId: 'a1', decision: 'approve', by: 'user' }), at: later };
  const decided = after([decision], waiting);
  expect(tool(decided, 'k1')).toMatchObject({ state: 'running', startedAt: later });
  const result = { name: 'shell', ok: true, output: '', durationMs: 3 };
  const next = after([eventOf('tool_result', { callId: 'k1', ...result }), eventOf('tool_running', { callId: 'k2' })], decided);
  expect(['k1', 'k2', 'k3'].map((id) => tool(next, id).state)).toEqual(['ok', 'running', 'queued']);
  const ended = after([eventOf('tool_result', { callId: 'k3', ...result, ok: false, notRun: true, durationMs: 0 })], next);
  expect(tool(ended, 'k3').state).toBe('interrupted');
});

it.each([
  ['round_limit', 'system', /limit of rounds/],
  ['interrupted', 'system', /Interrupted/],
  ['budget', 'system', /budget/],
  ['error', 'error', /key is wrong/],
])('adds an entry for a turn that ended with %s', (reason, kind, text) => {
  const state = after([...begun, eventOf('turn_end', { reason, error: { code: 'provider_auth', message: 'The key is wrong.' } })]);
  expect(state.entries.at(-1)).toMatchObject({ kind, text: expect.stringMatching(text) });
});

it('adds entries for a reset and for plugin events, with a turn id only for events of a turn', () => {
  const shown = { text: 'A plugin did something.' };
  const kinds = [
    eventOf('conversation_reset', { mode: 'soft' }),
    eventOf('of_a_plugin', { shown }),
    eventOf('of_another', { shown: { ...shown, isOutsideTurn: true } }),
    eventOf('unseen'),
  ];
  const { entries } = after([...kinds, ...kinds]);
  expect(entries.map((entry) => entry.kind === 'system' && entry.code)).toEqual(['conversation_reset', 'of_a_plugin', 'of_another']);
  expect(entries.map((entry) => entry.turnId)).toEqual(['t1', 't1', undefined]);
  expect(entries[1]).toMatchObject({ text: 'A plugin did something.' });
  expect(after([eventOf('of_a_plugin', { shown: null }), eventOf('of_a_plugin', { shown: 'text' })]).entries).toEqual([]);
});

it('keeps a queued message last until its turn starts', () => {
  const queued = after([...begun, eventOf('message_accepted', { messageId: 'm9', turnId: 't2', text: 'Next' }), says(0, 'First answer')]);
  expect(queued.entries.map((entry) => entry.id)).toEqual(['m1', 'm2', 'm9']);
  expect(queued.entries[2]).toMatchObject({ state: 'queued' });
  const steered = after([eventOf('message_accepted', { messageId: 'm8', text: 'Also', isSteer: true })], queued);
  expect(steered.entries.map((entry) => entry.id)).toEqual(['m1', 'm2', 'm8', 'm9']);
  const next = after([eventOf('turn_end', { reason: 'aborted' }), eventOf('turn_start', { turnId: 't2', messageId: 'm9', model: 'x' })], steered);
  expect(next.entries.map((entry) => entry.kind)).toEqual(['user', 'assistant', 'user', 'system', 'user']);
  expect(next.entries.at(-1)).toMatchObject({ id: 'm9', state: 'accepted' });
});

it('shows a file while it is written, but not when its beginning is missing', () => {
  const preview = (callId: string, offset: number, delta: string, done = false): WireEvent =>
    eventOf('compose_preview', { callId, path: 'a.txt', offset, delta, lines: 1, done });
  const start = ['k1', 'k2'].map((callId) => eventOf('tool_start', { callId, messageId: 'm2', name: 'write_file' }));
  const state = after([...begun, ...start, preview('k1', 0, 'Hel'), preview('k1', 3, 'lo', true), preview('k2', 7, 'rest')]);
  expect(tool(state, 'k1').compose).toEqual({ path: 'a.txt', text: 'Hello', lines: 1, isDone: true });
  expect(tool(state, 'k2').compose).toMatchObject({ text: '' });
  expect(tool(after([eventOf('tool_delta', { callId: 'k2', argsDelta: 'from the middle' })], state), 'k2').argsText).toBe('');
});

it('reads the wait reason from `harness_running` and does not count it as activity', () => {
  const running = eventOf('harness_running', { turnId: 't7', waitingFor: 'tool', since: at });
  const { state } = reduceEvents(empty, [running], 99);
  expect(state).toMatchObject({ lastSignAt: 0, running: { turnId: 't7', waitingFor: 'tool' } });
  expect(reduceEvents(state, [running], 100).state).toBe(state);
  expect(reduceEvents(state, [says(0, 'x')], 100).state.lastSignAt).toBe(100);
});
