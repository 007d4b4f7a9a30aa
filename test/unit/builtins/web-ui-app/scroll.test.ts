// Tests scroll anchoring: follows the end, keeps the reader's row in place, and distinguishes user scrolling from its own.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { next, offsetOf, type View } from '../../../../builtins/clients/web-ui/app/chat/scroll/anchor.ts';
import { createScrollWriter } from '../../../../builtins/clients/web-ui/app/chat/scroll/scroll-writer.ts';
import { runs } from '../../../helpers/dice.ts';

/** Simulates a list of rows in a browser, which clamps and rounds written offsets. */
function createList(heights: readonly number[], viewport = 500) {
  const state = { rows: heights.map((height, index) => ({ key: `r${index}`, height })), viewport, offset: 0, writes: 0 };
  const size = (): number => state.rows.reduce((sum, { height }) => sum + height, 0);
  const topAt = (index: number): number => state.rows.slice(0, index).reduce((sum, { height }) => sum + height, 0);
  const clamp = (offset: number): number => Math.round(Math.max(0, Math.min(offset, size() - state.viewport)));
  const view = (): View | undefined =>
    state.viewport === 0
      ? undefined
      : {
          size: size(),
          viewport: state.viewport,
          rowAt(offset) {
            const index = state.rows.findLastIndex((_, at) => topAt(at) <= offset);
            const row = state.rows[index];
            return row && { key: row.key, top: topAt(index) };
          },
          topOf(key) {
            const index = state.rows.findIndex((row) => row.key === key);
            return index === -1 ? undefined : topAt(index);
          },
        };
  // A browser reports a programmatic scroll later, like a user scroll.
  let isUnreported = false;
  const report = (): void => {
    if (isUnreported) writer.scrolled(state.offset);
    isUnreported = false;
  };
  const writer = createScrollWriter({
    view,
    offset: () => state.offset,
    scrollTo(offset) {
      state.offset = clamp(offset);
      state.writes++;
      isUnreported = true;
    },
  });
  writer.laidOut();
  return {
    state,
    writer,
    fromEnd: (): number => size() - state.viewport - state.offset,
    placeOf: (key: string): number => (view()?.topOf(key) ?? NaN) - state.offset,
    keyInView: (): string => view()?.rowAt(state.offset)?.key ?? '',
    layOut(change: () => void): void {
      report();
      change();
      state.offset = clamp(state.offset);
      writer.laidOut();
    },
    byHand(offset: number): void {
      report();
      state.offset = clamp(offset);
      writer.scrolled(state.offset);
    },
  };
}
const hundred = Array.from({ length: 100 }, () => 40);

test('starts at the end and follows new content', () => {
  const list = createList(hundred);
  expect([list.fromEnd(), list.writer.get()]).toEqual([0, false]);
  list.layOut(() => list.state.rows.push({ key: 'new', height: 333 }));
  expect(list.fromEnd()).toBe(0);
  list.layOut(() => (list.state.viewport = 300));
  expect(list.fromEnd()).toBe(0);
});

test('does not treat a shrinking row estimate as user scrolling', () => {
  const list = createList(hundred);
  list.layOut(() => list.state.rows.forEach((row) => (row.height = 25)));
  expect([list.fromEnd(), list.writer.get()]).toEqual([0, false]);
});

test('stays in place after the reader scrolls up and follows again once back at the end', () => {
  const list = createList(hundred);
  list.byHand(1_010);
  expect([list.writer.get(), list.keyInView()]).toEqual([true, 'r25']);
  const place = list.placeOf('r25');
  list.layOut(() => list.state.rows.push({ key: 'new', height: 900 }));
  expect([list.placeOf('r25'), list.state.writes]).toEqual([place, 1]);
  list.byHand(100_000);
  expect(list.writer.get()).toBe(false);
  list.layOut(() => list.state.rows.push({ key: 'newer', height: 900 }));
  expect(list.fromEnd()).toBe(0);
});

test('treats a position within a few pixels of the end as the end', () => {
  const list = createList(hundred);
  list.byHand(list.state.offset - 40);
  expect(list.writer.get()).toBe(false);
  list.byHand(list.state.offset - 40);
  expect(list.writer.get()).toBe(true);
});

test('keeps the row in view in place when older rows arrive or heights change', () => {
  const list = createList(hundred);
  list.byHand(1_010);
  const place = list.placeOf('r25');
  list.layOut(() => list.state.rows.unshift(...Array.from({ length: 50 }, (_, at) => ({ key: `older${at}`, height: 70 }))));
  expect(list.placeOf('r25')).toBe(place);
  list.layOut(() => list.state.rows.forEach((row) => (row.height *= 2)));
  expect(list.placeOf('r25')).toBe(place);
});

test('keeps a row pressed at the end in place when it expands, and keeps following if it still fits', () => {
  const list = createList(hundred);
  const before = list.placeOf('r98');
  list.writer.pressed();
  expect(list.writer.get()).toBe(false);
  list.layOut(() => list.state.rows.forEach((row) => row.key === 'r98' && (row.height = 800)));
  expect([list.placeOf('r98'), list.writer.get()]).toEqual([before, true]);

  const small = createList(hundred);
  small.writer.pressed();
  small.layOut(() => small.state.rows.forEach((row) => row.key === 'r98' && (row.height = 70)));
  expect([small.fromEnd(), small.writer.get()]).toEqual([0, false]);
});

test('keeps the target row in view while rows are measured or prepended, until the reader scrolls', () => {
  const list = createList(hundred);
  list.writer.toRow('r40');
  const place = list.placeOf('r40');
  expect([place, list.writer.get()]).toEqual([167, true]);
  list.layOut(() => list.state.rows.forEach((row, index) => (row.height = 20 + (index % 7) * 30)));
  list.layOut(() => list.state.rows.unshift({ key: 'older', height: 5_000 }));
  expect(list.placeOf('r40')).toBe(place);
  list.byHand(list.state.offset + 500);
  const key = list.keyInView();
  const seen = list.placeOf(key);
  list.layOut(() => list.state.rows.unshift({ key: 'oldest', height: 5_000 }));
  expect(list.placeOf(key)).toBe(seen);
});

test('shows the beginning of a target row that turns out to be longer than its estimate', () => {
  const list = createList(hundred);
  list.writer.toRow('r99');
  list.layOut(() => list.state.rows.forEach((row) => row.key === 'r99' && (row.height = 2_000)));
  expect([list.placeOf('r99'), list.writer.get()]).toEqual([167, true]);
});

test('treats a target row near the end as the end, and stays in place when the anchor row is removed', () => {
  const list = createList(hundred);
  list.writer.toRow('r99');
  expect([list.fromEnd(), list.writer.get()]).toEqual([0, false]);
  list.byHand(1_010);
  const { offset } = list.state;
  list.layOut(() => list.state.rows.splice(25, 1));
  expect(list.state.offset).toBe(offset);
});

test('defers scrolling until the viewport has a size', () => {
  const list = createList(hundred, 0);
  list.writer.toRow('r40');
  expect(list.state.writes).toBe(0);
  list.layOut(() => (list.state.viewport = 500));
  expect(list.placeOf('r40')).toBe(0);
  list.writer.toEnd();
  expect([list.fromEnd(), list.writer.get()]).toEqual([0, false]);
});

test('stays at the end or at its row for any sequence of changes, with one write per layout', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('hand' as const), offset: fc.integer({ min: 0, max: 8_000 }) }),
    fc.record({ kind: fc.constant('grow' as const), row: fc.nat(99), height: fc.integer({ min: 1, max: 900 }) }),
    fc.record({ kind: fc.constant('older' as const), height: fc.integer({ min: 1, max: 900 }) }),
    fc.record({ kind: fc.constant('newer' as const), height: fc.integer({ min: 1, max: 900 }) }),
    fc.record({ kind: fc.constant('press' as const) }),
    fc.record({ kind: fc.constant('end' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const list = createList(hundred);
      let count = 0;
      for (const one of steps) {
        const key = list.keyInView();
        const [place, wasAway, writes] = [list.placeOf(key), list.writer.get(), list.state.writes];
        if (one.kind === 'hand') list.byHand(one.offset);
        else if (one.kind === 'press') list.writer.pressed();
        else if (one.kind === 'end') list.writer.toEnd();
        else {
          list.layOut(() => {
            if (one.kind === 'grow') Object.assign(list.state.rows[one.row] ?? {}, { height: one.height });
            if (one.kind === 'older') list.state.rows.unshift({ key: `o${count++}`, height: one.height });
            if (one.kind === 'newer') list.state.rows.push({ key: `n${count++}`, height: one.height });
          });
          expect(list.state.writes - writes).toBeLessThanOrEqual(1);
          // Growing or shrinking the anchor row itself may move it.
          const isSame = one.kind !== 'grow' || list.state.rows[one.row]?.key !== key;
          if (wasAway && list.writer.get() && isSame && list.fromEnd() > 0) expect(Math.abs(list.placeOf(key) - place)).toBeLessThanOrEqual(1);
        }
        if (!list.writer.get() && one.kind !== 'hand' && one.kind !== 'press') expect(list.fromEnd()).toBeLessThanOrEqual(1);
      }
    }),
    runs(200),
  );
});

test("treats a scroll as the reader's only if it differs from the written offset", () => {
  const view: View = { size: 1_000, viewport: 100, rowAt: (offset) => ({ key: 'r', top: offset - 7 }), topOf: () => 300 };
  const row = { at: 'row', key: 'x', offset: 5 } as const;
  expect(next(row, { kind: 'scroll', offset: 400.6, written: 400, view })).toBe(row);
  expect(next(row, { kind: 'scroll', offset: 402, written: 400, view })).toEqual({ at: 'row', key: 'r', offset: 7 });
  expect(next(row, { kind: 'scroll', offset: 880, written: 400, view })).toEqual({ at: 'end' });
  expect([offsetOf(row, view), offsetOf({ at: 'end' }, view), offsetOf(row, { ...view, topOf: () => undefined })]).toEqual([305, 900, undefined]);
  expect(offsetOf({ at: 'end' }, { ...view, size: 50 })).toBe(0);
});
