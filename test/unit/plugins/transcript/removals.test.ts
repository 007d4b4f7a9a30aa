// Tests removed entries: absent from model messages, unchanged after a restore, and annotated on every page.
import fc from 'fast-check';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import { createConversation, createPageWindow, joinPages, withRemovals, type Entry, type EventKind } from 'agent-harness/transcript';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../helpers/dice.ts';
import { anyJournal } from './any-journal.ts';
import { recordedJournals } from './read-journal.ts';

type Kind = 'entry_removed' | 'entry_restored';

function messagesOf(events: readonly JournalEvent[]): unknown {
  const conversation = createConversation();
  for (const event of events) conversation.take(event.kind as EventKind, event as never);
  conversation.settle();
  return JSON.parse(JSON.stringify(conversation.messages));
}

function removable(events: readonly JournalEvent[]): Map<string, number> {
  const found = new Map<string, number>();
  events.forEach(({ kind, messageId, callId, channel }, at) => {
    const isMessage = kind === 'message_accepted' || kind === 'announcement' || (kind === 'text' && channel === 'user');
    const id = kind === 'tool_start' ? callId : isMessage ? messageId : undefined;
    if (typeof id === 'string' && !found.has(id)) found.set(id, at);
  });
  return found;
}

const change = (kind: Kind, entryId: string): JournalEvent => ({ id: 1_000_000, kind, at: '2026-01-02T00:00:00.000Z', chatId: 'chat_1', entryId });
const inserted = (events: readonly JournalEvent[], at: number, ...more: JournalEvent[]): JournalEvent[] => [
  ...events.slice(0, at),
  ...more,
  ...events.slice(at),
];

function expectGone(events: readonly JournalEvent[], places: (first: number) => readonly number[]): void {
  const whole = messagesOf(events);
  for (const [entryId, first] of removable(events)) {
    const gone = messagesOf([...events, change('entry_removed', entryId)]);
    for (const at of places(first)) expect(messagesOf(inserted(events, at, change('entry_removed', entryId))), `${entryId} at ${at}`).toEqual(gone);
    expect(messagesOf([...events, change('entry_removed', entryId), change('entry_restored', entryId)])).toEqual(whole);
    expect(messagesOf([...inserted(events, first + 1, change('entry_removed', entryId)), change('entry_restored', entryId)])).toEqual(whole);
  }
}

describe.each(recordedJournals())('a journal of version 0.1.2: $name', ({ events }) => {
  test('model messages do not depend on the position of the removal event', () => {
    expectGone(events, (first) => [first + 1, Math.floor((first + events.length) / 2), events.length - 1].filter((at) => at > first));
  });
});

test('model messages of any journal do not depend on the position of the removal event', () => {
  fc.assert(
    fc.property(anyJournal, (events) => expectGone(events, (first) => [first + 1, events.length])),
    runs(50),
  );
});

test('the text of a removed message, reply or result is absent, while equal text elsewhere stays', () => {
  const head = { at: '', chatId: 'chat_1', turnId: 'turn_1' };
  const events: JournalEvent[] = [
    { ...head, id: 1, kind: 'message_accepted', messageId: 'msg_1', text: 'Noted.', attachments: [] },
    { ...head, id: 2, kind: 'turn_start', messageId: 'msg_1', model: 'm' },
    { ...head, id: 3, kind: 'text', messageId: 'msg_2', offset: 0, delta: 'Noted.', channel: 'user' },
    { ...head, id: 4, kind: 'tool_start', callId: 'call_1', messageId: 'msg_2', name: 'look', argsText: '{"at":"harbour"}' },
    { ...head, id: 5, kind: 'tool_result', callId: 'call_1', name: 'look', ok: true, output: 'Noted.', durationMs: 1 },
    { ...head, id: 6, kind: 'turn_end', reason: 'done' },
  ];
  const read = (entryId: string): any => messagesOf([...events, change('entry_removed', entryId)]);
  const removed = '[The user removed this from the conversation.]';
  const textsOf = (messages: any): string[] => messages.map(({ text }: any) => text);
  expect(textsOf(read('msg_1'))).toEqual([removed, 'Noted.', 'Noted.']);
  expect(textsOf(read('msg_2'))).toEqual(['Noted.', removed, 'Noted.']);
  expect(textsOf(read('call_1'))).toEqual(['Noted.', 'Noted.', removed]);
  expect(read('call_1')[1].toolCalls).toMatchObject([{ id: 'call_1', argsText: '{}' }]);
});

test('removed and restored entries are annotated on every page and in the live transcript', () => {
  let count = 0;
  for (const { events } of recordedJournals()) {
    for (const entryId of removable(events).keys()) {
      const all = [...events, change('entry_removed', entryId)];
      const pages = (limit: number): Entry[] => {
        let entries: readonly Entry[] = [];
        for (let end = all.length; end > 0;) {
          const window = createPageWindow(limit);
          let from = end;
          while (from > 0 && !window.isCompleteBefore(all[from - 1] as JournalEvent)) window.take(all[--from] as JournalEvent);
          entries = joinPages(withRemovals(window.transcript(true).entries, new Map([[entryId, []]])), entries);
          end = from;
        }
        return [...entries];
      };
      const marked = pages(Infinity).filter((entry) => JSON.stringify(entry).includes('"isRemoved":true'));
      count += marked.length;
      expect(pages(2)).toEqual(pages(Infinity));
    }
  }
  expect(count).toBeGreaterThan(20);
});
