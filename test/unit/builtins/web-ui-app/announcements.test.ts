import type { ChatState, Entry } from 'agent-harness/client';
import { expect, it } from 'vitest';
import { type Announcement, announce } from '../../../../builtins/clients/web-ui/app/chat/transcript/announcements.ts';

const at = '2026-01-01T00:00:00Z';
const reply = (turnId: string): Entry => ({ id: `r-${turnId}`, kind: 'assistant', at, turnId, text: 'hi', reasoning: '', isStreaming: false });
const asked = (id: string): Entry => ({ id, kind: 'user', at, text: 'go', attachments: [], state: 'accepted' });
const note = (turnId: string, text: string, kind: 'system' | 'error' = 'system'): Entry => ({ id: `n-${turnId}`, kind, at, turnId, text });
const state = (entries: Entry[], turnId?: string, more: Partial<ChatState> = {}): ChatState => ({
  ...{ chatId: 'c', isLoaded: true, entries, approvals: [], questions: [], usage: { input: 0, output: 0, cached: 0 }, lastSignAt: 0 },
  ...(turnId === undefined ? {} : { running: { turnId, startedAt: at, since: at, waitingFor: 'model' as const } }),
  ...more,
});

const announcementsOf = (...states: ChatState[]): string[] => {
  let previous: Announcement | undefined;
  return states.map((one) => (previous = announce(previous, one)).words);
};

it('announces nothing that was present when the chat was opened', () => {
  expect(announcementsOf(state([], undefined, { isLoaded: false }), state([asked('u'), reply('1')]), state([asked('u'), reply('1')]))).toEqual(['', '', '']);
});

it('announces a running turn and its complete reply', () => {
  expect(announcementsOf(state([]), state([asked('u')], '1'), state([asked('u'), reply('1')]))).toEqual([
    '',
    'The assistant is working.',
    'The reply is complete.',
  ]);
});

it('announces a turn that started and ended between two updates', () => {
  const stopped = [asked('u'), note('1', 'Stopped by the user.')];
  expect(announcementsOf(state([asked('u')], '1'), state(stopped), state([...stopped, asked('v'), reply('2')]))).toEqual([
    '',
    'Stopped by the user.',
    'The reply is complete.',
  ]);
});

it('announces the end of a turn that is followed immediately by another', () => {
  expect(announcementsOf(state([asked('u')], '1'), state([asked('u'), reply('1'), asked('v')], '2'), state([reply('1'), asked('v'), reply('2')])).at(-1)).toBe(
    'The reply is complete.',
  );
});

it('announces why a turn failed, and pending approvals and questions', () => {
  expect(announcementsOf(state([], '1'), state([note('1', 'No key.', 'error')])).at(-1)).toBe('The turn failed: No key.');
  const approval = { approvalId: 'a', chatId: 'c', turnId: '1', callId: 'x', name: 'run_command', args: {}, effects: [], reason: '' };
  const question = { askId: 'q', chatId: 'c', turnId: '1', callId: 'x', prompt: 'Which one?', since: at };
  expect(announcementsOf(state([], '1'), state([], '1', { approvals: [approval] }), state([], '1', { questions: [question] })).slice(1)).toEqual([
    'run_command waits for your approval.',
    'Question: Which one?',
  ]);
});

it('announces new plugin messages during and between turns, except on the trace channel', () => {
  const origin = { plugin: 'builds', reason: 'A build ended.' };
  const said = (id: string, when: string, channel: 'user' | 'trace' = 'user'): Entry => ({
    id,
    kind: 'announcement',
    at: when,
    text: `${id} broke`,
    origin,
    channel,
  });
  const later = '2026-01-02T00:00:00Z';
  expect(
    announcementsOf(state([reply('1')]), state([reply('1'), said('x', later)]), state([reply('1'), said('x', later), said('y', later, 'trace')])).slice(1),
  ).toEqual(['builds: x broke', 'builds: x broke']);
  expect(announcementsOf(state([reply('1')], '2'), state([reply('1'), said('x', later)], '2')).at(-1)).toBe('builds: x broke');
  const older = said('z', '2025-01-01T00:00:00Z');
  expect(announcementsOf(state([reply('1')]), state([older, reply('1')])).at(-1)).toBe('');
});

it('announces nothing for a line outside a turn or for older messages', () => {
  const { turnId: _, ...line } = note('x', 'Renamed.');
  expect(announcementsOf(state([reply('2')]), state([reply('1'), reply('2')]), state([reply('1'), reply('2'), line])).at(-1)).toBe('');
});
