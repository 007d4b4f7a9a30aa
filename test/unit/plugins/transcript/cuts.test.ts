// Tests that reading a chat and following its events gives the same result as reading it later, wherever the switch happens.
import fc from 'fast-check';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import { createPageWindow, emptyTranscript, joinPages, reduce, type Entry, type Transcript } from 'agent-harness/transcript';
import { describe, expect, it, test } from 'vitest';
import { anyJournal } from './any-journal.ts';
import { backwards, recordedJournals } from './read-journal.ts';
import { runs } from '../../../helpers/dice.ts';

const journals = recordedJournals();

function read(events: readonly JournalEvent[], limit = Infinity): { state: Transcript; from: number } {
  const window = createPageWindow(limit);
  let from = events.length;
  for (const event of backwards(events)) {
    if (window.isCompleteBefore(event)) break;
    window.take(event);
    from--;
  }
  return { state: window.transcript(false), from };
}

/** Omits turn costs and start times, which the server adds itself. */
function seen({ entries, running, approvals, questions }: Transcript): unknown {
  return { entries, running: running && { turnId: running.turnId, waitingFor: running.waitingFor }, approvals, questions };
}

function expectEveryCut(events: readonly JournalEvent[]): void {
  const whole = seen(read(events).state);
  for (let cut = 0; cut <= events.length; cut++) {
    const { state, hasGap } = reduce(read(events.slice(0, cut)).state, events.slice(cut));
    expect(hasGap, `after ${cut} events`).toBe(false);
    expect(seen(state), `after ${cut} events`).toEqual(whole);
  }
}

/** The cursor of the server is exact, but a reconnected stream may repeat earlier events. */
function expectNothingTwice(events: readonly JournalEvent[]): void {
  const { state } = read(events);
  for (let from = 0; from < events.length; from++) expect(seen(reduce(state, events.slice(from)).state), `again from ${from}`).toEqual(seen(state));
}

function pagesOf(events: readonly JournalEvent[], limit: number): Entry[] {
  let entries: readonly Entry[] = [];
  for (let end = events.length; end > 0;) {
    const window = createPageWindow(limit);
    let from = end;
    while (from > 0 && !window.isCompleteBefore(events[from - 1] as JournalEvent)) window.take(events[--from] as JournalEvent);
    entries = joinPages(window.transcript(end < events.length).entries, entries);
    end = from;
  }
  return [...entries];
}

describe.each(journals)('a journal of version 0.1.2: $name', ({ events }) => {
  it('is the same for every split between reading and following', () => expectEveryCut(events));
  it('ignores repeated events of a complete transcript', () => expectNothingTwice(events));
  it('is the same in pages of any size', () => {
    for (const limit of [1, 2, 3, 7, 50]) expect(pagesOf(events, limit), `pages of ${limit}`).toEqual(read(events).state.entries);
  });
});

test('any journal is the same for every split between reading and following', () => {
  fc.assert(
    fc.property(anyJournal, (events) => expectEveryCut(events)),
    runs(300),
  );
});

test('pages of any journal join to the same transcript', () => {
  const limit = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(anyJournal, limit, (events, size) => {
      expect(pagesOf(events, size)).toEqual(read(events).state.entries);
    }),
    runs(300),
  );
});

test('text behind a gap is reported and not added', () => {
  const text = (offset: number, delta: string) => ({ kind: 'text', at: '', turnId: 't', messageId: 'm', channel: 'user', offset, delta });
  const { state, hasGap } = reduce(emptyTranscript, [text(0, 'a'), text(3, 'd'), text(1, 'bc')]);
  expect(hasGap).toBe(true);
  expect(state.entries).toMatchObject([{ text: 'abc' }]);
});
