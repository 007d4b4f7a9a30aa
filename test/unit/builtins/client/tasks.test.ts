// Tests the task state that the client builds from events.
import { expect, it } from 'vitest';
import { reduceEvents } from '../../../../builtins/clients/client/reduce-events.ts';
import { emptyChat, eventOf } from './parts.ts';

const at = '2026-01-01T00:00:00.000Z';
const empty = emptyChat();
const approval = { approvalId: 'a1', chatId: 'c', callId: 'k9', name: 'send', args: {}, effects: ['external'], reason: 'It sends.', expiresAt: at };
const begun = [
  eventOf('message_accepted', { messageId: 'm1', text: 'Go', attachments: [] }),
  eventOf('turn_start', { messageId: 'm1', model: 'x' }),
  eventOf('tool_start', { callId: 'k1', messageId: 'm2', name: 'spawn_task', args: { goal: 'look' } }),
  eventOf('subtask_start', { taskId: 's1', callId: 'k1', goal: 'look', model: 'x' }),
];
const work = [
  eventOf('subtask_text', { taskId: 's1', messageId: 'm3', offset: 0, delta: 'I look' }),
  eventOf('subtask_tool', { taskId: 's1', toolCallId: 'k8', name: 'list_dir', args: { path: '.' } }),
  eventOf('subtask_tool', { taskId: 's1', toolCallId: 'k8', name: 'list_dir', ok: true, output: 'a.txt', durationMs: 3 }),
  eventOf('subtask_tool', { taskId: 's1', toolCallId: 'k9', name: 'send', args: {} }),
  eventOf('tool_approval', approval),
  eventOf('approval_decision', { approvalId: 'a1', callId: 'k9', decision: 'reject', by: 'user' }),
  eventOf('subtask_tool', { taskId: 's1', toolCallId: 'k9', name: 'send', ok: false, output: 'Rejected.', durationMs: 9 }),
  eventOf('subtask_text', { taskId: 's1', messageId: 'm4', offset: 0, delta: 'It is ' }),
  eventOf('subtask_text', { taskId: 's1', messageId: 'm4', offset: 6, delta: 'done.' }),
];
const end = [
  eventOf('subtask_end', { taskId: 's1', callId: 'k1', reason: 'done', rounds: 3, tools: 2, durationMs: 20, usage: { input: 1, output: 1, cached: 0 } }),
  eventOf('tool_result', { callId: 'k1', name: 'spawn_task', ok: true, output: 'It is done.', durationMs: 30 }),
];

const whole = {
  taskId: 's1',
  goal: 'look',
  model: 'x',
  messageId: 'm4',
  text: 'It is done.',
  calls: [
    { callId: 'k8', name: 'list_dir', args: { path: '.' }, isOk: true },
    { callId: 'k9', name: 'send', args: {}, isOk: false },
  ],
  reason: 'done',
  rounds: 3,
  durationMs: 20,
};

it('shows the progress of a task on the card of its tool call', () => {
  const { state } = reduceEvents(empty, [...begun, ...work.slice(0, 2)], 1);
  expect(state.entries[1]).toMatchObject({ kind: 'tool', task: { text: 'I look', calls: [{ name: 'list_dir' }] } });
  const later = reduceEvents(state, [...work.slice(2), ...end], 1).state;
  expect(later.entries[1]).toMatchObject({ state: 'ok', task: whole });
});

it('shows a task call that required approval as its own entry, completed with the call', () => {
  const live = reduceEvents(empty, [...begun, ...work, ...end], 1).state;
  expect(live.entries.find((entry) => entry.id === 'k9')).toMatchObject({ state: 'failed', ok: false, output: 'Rejected.', decision: { decision: 'reject' } });
  expect(live.approvals).toEqual([]);
});

it('ignores repeated events and events of an unknown task', () => {
  const { state } = reduceEvents(empty, [...begun, ...work, ...end], 1);
  expect(reduceEvents(state, [...work.slice(6), eventOf('subtask_text', { taskId: 'other', messageId: 'm', offset: 0, delta: 'x' })], 1).state.entries).toEqual(
    state.entries,
  );
});
