import { createQuietView, type Entry } from 'agent-harness/transcript';
import { expect, test } from 'vitest';

const base = { at: '2026-01-01T00:00:00.000Z', turnId: 'turn_1' };
const entries: Entry[] = [
  { ...base, id: 'msg_1', kind: 'user', text: 'go', attachments: [], state: 'accepted' },
  { ...base, id: 'trace_msg_2', kind: 'system', text: 'sent again' },
  { ...base, id: 'event_3', kind: 'system', text: 'Stopped.' },
  {
    ...base,
    id: 'call_1',
    kind: 'tool',
    callId: 'call_1',
    name: 'look',
    state: 'running',
    argsText: '{"a":1}',
    args: { a: 1 },
    subject: 'one',
    progress: ['half'],
    output: 'all',
  },
];

test('a quiet transcript omits traces, call arguments and progress, and reuses unchanged entries', () => {
  const view = createQuietView();
  const quiet = view(entries);
  expect(quiet.map(({ id }) => id)).toEqual(['msg_1', 'event_3', 'call_1']);
  expect(quiet[2]).toMatchObject({ name: 'look', argsText: '', progress: [], output: 'all' });
  for (const field of ['args', 'subject']) expect(quiet[2]).not.toHaveProperty(field);
  view(entries).forEach((entry, at) => expect(entry).toBe(quiet[at]));
});
