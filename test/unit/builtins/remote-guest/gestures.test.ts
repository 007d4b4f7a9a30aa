// Tests recognition of touch gestures by position and time.
import { expect, test } from 'vitest';
import { createGestures, type Gesture } from '../../../../builtins/desktop/remote/guest/gestures.ts';

function touch(waitsForSecond = true) {
  const emitted: Gesture[] = [];
  const gestures = createGestures(
    (gesture) => {
      if (gesture.type !== 'end') emitted.push(gesture);
    },
    () => ({ waitsForSecond }),
  );
  return { gestures, told: emitted, kinds: () => emitted.map(({ type }) => type) };
}

test('emits a tap once the double-tap window has passed', () => {
  const { gestures, kinds } = touch();
  gestures.down(1, { x: 50, y: 50 }, 0);
  gestures.move(1, { x: 54, y: 52 }, 40);
  gestures.up(1, { x: 54, y: 52 }, 80);
  expect(kinds()).toEqual([]);
  expect(gestures.nextAt()).toBe(340);
  gestures.tick(340);
  expect(kinds()).toEqual(['tap']);
  expect(gestures.nextAt()).toBeUndefined();
});

test('emits a tap immediately where double taps are not used', () => {
  const { gestures, told } = touch(false);
  gestures.down(1, { x: 5, y: 6 }, 0);
  gestures.up(1, { x: 5, y: 6 }, 50);
  expect(told).toEqual([{ type: 'tap', x: 5, y: 6 }]);
});

test('recognizes two taps at one point as a double tap and at two points as two taps', () => {
  const near = touch();
  for (const at of [0, 150]) {
    near.gestures.down(1, { x: 50, y: 50 }, at);
    near.gestures.up(1, { x: 50, y: 50 }, at + 50);
  }
  expect(near.kinds()).toEqual(['double-tap']);
  const far = touch();
  for (const [at, x] of [
    [0, 50],
    [150, 250],
  ] as const) {
    far.gestures.down(1, { x, y: 50 }, at);
    far.gestures.up(1, { x, y: 50 }, at + 50);
  }
  far.gestures.tick(1_000);
  expect(far.told).toEqual([
    { type: 'tap', x: 50, y: 50 },
    { type: 'tap', x: 250, y: 50 },
  ]);
});

test('recognizes a stationary finger as a long press and later movement as a held drag', () => {
  const { gestures, kinds } = touch();
  gestures.down(1, { x: 50, y: 50 }, 0);
  expect(gestures.nextAt()).toBe(500);
  gestures.tick(500);
  gestures.move(1, { x: 80, y: 50 }, 600);
  gestures.up(1, { x: 80, y: 50 }, 700);
  expect(kinds()).toEqual(['long-press', 'held-drag', 'held-end']);
});

test('emits drags that add up to the total movement and no tap', () => {
  const { gestures, told, kinds } = touch();
  gestures.down(1, { x: 50, y: 300 }, 0);
  for (let step = 1; step <= 10; step += 1) gestures.move(1, { x: 50, y: 300 - step * 20 }, step * 16);
  gestures.up(1, { x: 50, y: 100 }, 200);
  gestures.tick(2_000);
  expect(new Set(kinds())).toEqual(new Set(['drag']));
  expect(told.reduce((sum, one) => sum + (one.type === 'drag' ? one.dy : 0), 0)).toBe(-200);
});

test('pinches by the change in distance and pans by the movement of the midpoint', () => {
  const { gestures, told } = touch();
  gestures.down(1, { x: 100, y: 100 }, 0);
  gestures.down(2, { x: 200, y: 100 }, 10);
  gestures.move(1, { x: 50, y: 120 }, 30);
  gestures.move(2, { x: 250, y: 120 }, 31);
  gestures.up(1, { x: 50, y: 120 }, 60);
  gestures.move(2, { x: 300, y: 200 }, 70);
  gestures.up(2, { x: 300, y: 200 }, 90);
  gestures.tick(2_000);
  const pinches = told.flatMap((one) => (one.type === 'pinch' ? [one] : []));
  expect(told).toHaveLength(pinches.length);
  expect(pinches.reduce((product, { factor }) => product * factor, 1)).toBeCloseTo(2);
  expect(pinches.reduce((sum, { dy }) => sum + dy, 0)).toBeCloseTo(20);
});

test('recognizes two short stationary touches as a two-finger tap', () => {
  const { gestures, kinds } = touch();
  gestures.down(1, { x: 100, y: 100 }, 0);
  gestures.down(2, { x: 160, y: 100 }, 20);
  gestures.up(2, { x: 160, y: 100 }, 90);
  gestures.up(1, { x: 100, y: 100 }, 100);
  expect(kinds()).toEqual(['two-finger-tap']);
});

test('ends a held gesture when the system cancels the touch', () => {
  const { gestures, kinds } = touch();
  gestures.down(1, { x: 50, y: 50 }, 0);
  gestures.tick(500);
  gestures.cancel();
  gestures.up(1, { x: 50, y: 50 }, 600);
  gestures.tick(2_000);
  expect(kinds()).toEqual(['long-press', 'held-end']);
});
