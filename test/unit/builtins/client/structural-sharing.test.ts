// Tests that unchanged state keeps its identity and that the work grows linearly with the events.
import type { WireEvent } from 'agent-harness/client';
import { expect, it } from 'vitest';
import { reduceEvents } from '../../../../builtins/clients/client/reduce-events.ts';
import { emptyChat } from './parts.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';

const at = '2026-01-01T00:00:00.000Z';
const start = emptyChat();
const text = (message: number, offset: number, delta: string): WireEvent => ({
  ...{ kind: 'text', at, chatId: 'c', turnId: 't', messageId: `m${message}`, channel: 'user' },
  offset,
  delta,
});
const replies = (count: number): WireEvent[] => Array.from({ length: count }, (_, message) => text(message, 0, 'Hello'));

it('replaces only the changed entry', () => {
  const before = reduceEvents(start, replies(50), 1).state;
  const { state } = reduceEvents(before, [text(49, 5, ' there'), text(49, 11, '.')], 2);
  expect(state.entries).not.toBe(before.entries);
  expect(state.entries.slice(0, 49).every((entry, index) => entry === before.entries[index])).toBe(true);
  expect(state.entries[49]).not.toBe(before.entries[49]);
  expect(before.entries[49]).toMatchObject({ text: 'Hello' });
  expect(state.approvals).toBe(before.approvals);
  expect(state.usage).toBe(before.usage);
});

it('returns the same state for a batch without changes', () => {
  const before = reduceEvents(start, replies(3), 1).state;
  expect(reduceEvents(before, [...replies(3), { kind: 'heartbeat_started', at, chatId: 'c' }], 1).state).toBe(before);
});

it('keeps the entries when a batch changes only other fields', () => {
  const before = reduceEvents(start, replies(3), 1).state;
  const { state } = reduceEvents(before, [{ kind: 'usage', at, chatId: 'c', purpose: 'title', input: 3, output: 2, cached: 1, cost: 0.5 }], 1);
  expect(state.entries).toBe(before.entries);
  expect(state.usage).toEqual({ input: 3, output: 2, cached: 1, cost: 0.5 });
});

it('processes ten times the events with about ten times the work', async () => {
  const deltas = (count: number): WireEvent[] => Array.from({ length: count }, (_, index) => text(index % 7, Math.floor(index / 7) * 3, 'abc'));
  const entries = (count: number): WireEvent[] => replies(count);
  for (const make of [deltas, entries]) {
    const [few, many] = [make(1_000), make(10_000)];
    const least = async (events: readonly WireEvent[]): Promise<number> => {
      let best = Infinity;
      for (let round = 0; round < 7; round++) best = Math.min(best, await cpuMsOf(() => reduceEvents(start, events, 1)));
      return best;
    };
    await least(few);
    // Quadratic work would be a hundred times as much.
    expect(await least(many)).toBeLessThan(Math.max(await least(few), 0.2) * 40);
  }
});
