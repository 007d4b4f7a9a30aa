// Tests how a remote viewer's touch and key input is batched and filtered before sending.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHeldKeys, goesToHost, modifiersOf, type KeyPress } from '../../../../builtins/desktop/remote/guest/hardware-keys.ts';
import { createInputQueue, type Input } from '../../../../builtins/desktop/remote/guest/input-queue.ts';
import { gainOf, movePointer } from '../../../../builtins/desktop/remote/guest/trackpad.ts';

const move = (x: number): Input => ({ type: 'move', x, y: 0.5, button: 'none', clickCount: 0, modifiers: 0 });
const wheel = (dy: number, dx = 0): Input => ({ type: 'wheel', x: 0.5, y: 0.5, dx, dy });
const down: Input = { type: 'down', x: 0.5, y: 0.5, button: 'left', clickCount: 1, modifiers: 0 };

test('merges moves and wheel steps within a frame, but not across a press or a change of direction', () => {
  const queue = createInputQueue();
  for (const input of [move(0.1), move(0.2), down, move(0.3), move(0.4), wheel(10), wheel(20), wheel(-5), wheel(-5)]) queue.add(input);
  expect(queue.take()).toEqual([move(0.2), down, move(0.4), wheel(30), wheel(-10)]);
  expect(queue.take()).toEqual([]);
});

test('preserves the total wheel distance when merging and limits each step', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -4000, max: 4000 }), { maxLength: 50 }), (steps) => {
      const queue = createInputQueue();
      for (const step of steps) queue.add(wheel(step));
      const taken = queue.take().map((one) => (one.type === 'wheel' ? one.dy : 0));
      expect(taken.reduce((sum, dy) => sum + dy, 0)).toBe(steps.reduce((sum, dy) => sum + dy, 0));
      expect(taken.every((dy) => Math.abs(dy) <= 10_000)).toBe(true);
    }),
  );
});

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  ...{ key, code: `Key${key.toUpperCase()}`, keyCode: 65, isComposing: false, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false },
  ...more,
});

test("does not send IME composition keys and shortcuts of the viewer's browser", () => {
  expect(goesToHost(press('a'))).toBe(true);
  expect(goesToHost(press('Enter'))).toBe(true);
  expect(goesToHost(press('a', { keyCode: 229 }))).toBe(false);
  expect(goesToHost(press('Process', { keyCode: 229 }))).toBe(false);
  expect(goesToHost(press('Unidentified', { keyCode: 0 }))).toBe(false);
  expect(goesToHost(press('a', { isComposing: true }))).toBe(false);
  expect(goesToHost(press('F5'))).toBe(false);
  expect(goesToHost(press('r', { ctrlKey: true }))).toBe(false);
  expect(goesToHost(press('a', { ctrlKey: true }))).toBe(true);
  expect(goesToHost(press('@', { ctrlKey: true, altKey: true }))).toBe(true);
  expect(modifiersOf(press('a', { ctrlKey: true, shiftKey: true }))).toBe(10);
});

test('releases held keys once and ignores the release of a key that was not sent', () => {
  const held = createHeldKeys();
  expect(held.take(press('a'), true)).toBe(true);
  expect(held.take(press('F5', { code: 'F5' }), true)).toBe(false);
  expect(held.take(press('F5', { code: 'F5' }), false)).toBe(false);
  expect(held.letGo()).toBe(true);
  expect(held.letGo()).toBe(false);
  expect(held.take(press('a'), false)).toBe(false);
});

test('moves the pointer 1:1 for slow swipes, further for fast ones, and never outside the picture', () => {
  expect(gainOf(0.1)).toBe(1);
  expect(gainOf(1)).toBeGreaterThan(1.5);
  expect(gainOf(100)).toBe(3);
  const shown = { width: 400, height: 200 };
  expect(movePointer({ x: 0.5, y: 0.5 }, { x: 4, y: -2 }, 40, shown)).toEqual({ x: 0.51, y: 0.49 });
  expect(movePointer({ x: 0.9, y: 0.1 }, { x: 500, y: -500 }, 16, shown)).toEqual({ x: 1, y: 0 });
});
