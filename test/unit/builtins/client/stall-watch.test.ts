// Tests when the page reports a stalled turn and when it considers a turn over. Times are plain numbers.
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

it('reports a stall after 52 seconds without activity, and again every 4 minutes', () => {
  expect(notesOf([], 600)).toEqual([52, 292, 532]);
});

it('restarts the stall time on each activity', () => {
  expect(notesOf([50, 100], 300)).toEqual([152]);
  expect(notesOf([60], 200)).toEqual([52, 112]);
});

it('reports no stall while no turn is running', () => {
  expect(tickWatch({ idleSamples: 2, notedAt: 5 }, undefined, 1e9)).toEqual({ watch: watchNothing });
});

it('considers a turn over after three idle samples, five more seconds and an end after its start', () => {
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
  ['an earlier end', '2026-01-01T00:00:05.000Z'],
  ['no end', undefined],
])('does not consider a turn over with %s', (_, lastTurnEndedAt) => {
  let watch: StallWatch = watchNothing;
  for (let now = 0; now < 100; now += 5) {
    const watched = sampleWatch(watch, busy(0), { isBusy: false, ...(lastTurnEndedAt === undefined ? {} : { lastTurnEndedAt }) }, now * second);
    expect(watched.isOver).toBeUndefined();
    watch = watched.watch;
  }
});

it('counts only consecutive idle samples', () => {
  const idle = { isBusy: false, lastTurnEndedAt: '2026-01-01T00:00:20.000Z' };
  let watch: StallWatch = watchNothing;
  for (const [index, isBusy] of [false, false, true, false, false, true, false].entries()) {
    const watched = sampleWatch(watch, busy(0), { ...idle, isBusy }, index * 5 * second);
    expect(watched.isOver).toBeUndefined();
    watch = watched.watch;
  }
  expect(watch.idleSamples).toBe(1);
});

it('includes the wait reason in the stall message', () => {
  expect(stallText('approval', 52_000)).toBe('[UI] No activity of the agent for 52 seconds: waiting for your approval. You can wait or stop it.');
  expect(stallText('something new', 60_000)).toContain(': working.');
});

it('posts the stall message in the chat, timed from when the page first saw the turn', () => {
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
