// When the page says that nothing comes, and when it believes that a turn is over; with a clock made of numbers.
import type { ChatState } from 'agent-harness/client';
import { afterEach, expect, it, vi } from 'vitest';
import { createChatWatch } from '../../../../builtins/clients/client/chat-watch.ts';
import { sampleWatch, stallText, tickWatch, watchNothing, type Busy, type StallWatch } from '../../../../builtins/clients/client/stall-watch.ts';

const startedAt = '2026-01-01T00:00:10.000Z';
const busy = (lastSignAt: number): Busy => ({ startedAt, lastSignAt });
const second = 1_000;

afterEach(() => void vi.useRealTimers());

function notesOf(signs: readonly number[], seconds: number): number[] {
  const noted: number[] = [];
  let watch: StallWatch = watchNothing;
  for (let now = 0; now <= seconds; now++) {
    const lastSign = Math.max(0, ...signs.filter((sign) => sign <= now));
    const { watch: next, isStalled } = tickWatch(watch, busy(lastSign * second), now * second);
    watch = next;
    if (isStalled) noted.push(now);
  }
  return noted;
}

it('says after 52 seconds without a sign that nothing comes, and again every 4 minutes', () => {
  expect(notesOf([], 600)).toEqual([52, 292, 532]);
});

it('begins anew with each sign of work', () => {
  expect(notesOf([50, 100], 300)).toEqual([152]);
  expect(notesOf([60], 200)).toEqual([52, 112]);
});

it('says nothing while no turn runs', () => {
  expect(tickWatch({ idleSamples: 2, notedAt: 5 }, undefined, 1e9)).toEqual({ watch: watchNothing });
});

it('believes that a turn is over after three idle answers, five more seconds, and an end that is newer than its start', () => {
  const ended = { isBusy: false, lastTurnEndedAt: '2026-01-01T00:00:20.000Z' };
  let watch: StallWatch = watchNothing;
  const over: number[] = [];
  for (const now of [0, 5, 10, 14, 15]) {
    const watched = sampleWatch(watch, busy(0), ended, now * second);
    watch = watched.watch;
    if (watched.isOver) over.push(now);
  }
  expect(over).toEqual([15]);
});

it.each([
  ['an end from before it started', '2026-01-01T00:00:05.000Z'],
  ['no end at all', undefined],
])('does not believe it with %s', (_, lastTurnEndedAt) => {
  let watch: StallWatch = watchNothing;
  for (let now = 0; now < 100; now += 5) {
    const watched = sampleWatch(watch, busy(0), { isBusy: false, ...(lastTurnEndedAt === undefined ? {} : { lastTurnEndedAt }) }, now * second);
    expect(watched.isOver).toBeUndefined();
    watch = watched.watch;
  }
});

it('counts only idle answers in a row', () => {
  const idle = { isBusy: false, lastTurnEndedAt: '2026-01-01T00:00:20.000Z' };
  let watch: StallWatch = watchNothing;
  for (const [now, isBusy] of [
    [0, false],
    [5, false],
    [10, true],
    [15, false],
    [20, false],
    [25, true],
    [30, false],
  ] as const) {
    const watched = sampleWatch(watch, busy(0), { ...idle, isBusy }, now * second);
    expect(watched.isOver).toBeUndefined();
    watch = watched.watch;
  }
  expect(watch.idleSamples).toBe(1);
});

it('says in a line of the page what the turn waits for', () => {
  expect(stallText('approval', 52_000)).toBe('[UI] No activity of the agent for 52 seconds: waiting for your approval. You can wait or stop it.');
  expect(stallText('something new', 60_000)).toContain(': working.');
});

it('says it in the chat, counted from when this page came to know of the turn', () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const said: string[] = [];
  const over: string[] = [];
  const chat = { chatId: 'c', lastSignAt: 5, running: { turnId: 't', startedAt, waitingFor: 'tool', since: startedAt } } as unknown as ChatState;
  const watch = createChatWatch({ chat: () => chat, say: (text) => void said.push(text), onOver: (turnId) => void over.push(turnId) });
  watch.see(chat);
  for (let seconds = 0; seconds < 55; seconds += 5) {
    watch.tick();
    vi.advanceTimersByTime(5_000);
  }
  watch.tick();
  expect(said).toEqual([stallText('tool', 55_000)]);
  const idle = {
    busy: false,
    clients: 1,
    activeChatId: null,
    chats: [],
    remote: { codes: 0, guests: 0, asking: 0 },
    lastTurnEndedAt: '2026-01-01T00:00:20.000Z',
  };
  for (let polls = 0; polls < 4; polls++) {
    watch.sample(idle);
    vi.advanceTimersByTime(5_000);
  }
  expect(over).toEqual(['t']);
});
