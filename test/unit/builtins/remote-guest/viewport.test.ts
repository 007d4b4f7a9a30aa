// Tests zooming and panning of the mirrored picture.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clamp, fit, fitScale, pan, reveal, toBox, toPicture, zoomAt, zoomToBlock } from '../../../../builtins/desktop/remote/guest/viewport.ts';

const box = { width: 360, height: 560 };
const picture = { width: 1280, height: 800 };

test('fits and centres the whole picture and maps points back to it', () => {
  const view = fit(box, picture);
  expect(view.scale).toBeCloseTo(360 / 1280);
  expect(view.x).toBeCloseTo(0);
  expect(view.y).toBeCloseTo((560 - 225) / 2);
  expect(toPicture(view, { x: 180, y: 280 }, picture)).toEqual({ x: 0.5, y: 0.5 });
  expect(toPicture(view, { x: 180, y: 10 }, picture)).toBeUndefined();
});

test('keeps the point under the fingers fixed while zooming', () => {
  const at = { x: 90, y: 300 };
  const before = fit(box, picture);
  const after = zoomAt(before, at, 3, box, picture);
  expect(after.scale).toBeCloseTo(before.scale * 3);
  const [from, to] = [toPicture(before, at, picture), toPicture(after, at, picture)];
  expect(to?.x).toBeCloseTo(from?.x ?? -1);
  expect(to?.y).toBeCloseTo(from?.y ?? -1, 0);
});

test('keeps the picture within its box for any sequence of pans and zooms', () => {
  const size = fc.record({ width: fc.integer({ min: 50, max: 4000 }), height: fc.integer({ min: 50, max: 4000 }) });
  const step = fc.record({
    x: fc.integer({ min: -3000, max: 3000 }),
    y: fc.integer({ min: -3000, max: 3000 }),
    factor: fc.double({ min: 0.2, max: 5, noNaN: true }),
  });
  fc.assert(
    fc.property(size, size, fc.array(step, { maxLength: 8 }), (room, shown, steps) => {
      let view = fit(room, shown);
      for (const { x, y, factor } of steps) view = zoomAt(pan(view, { x, y }, room, shown), { x, y }, factor, room, shown);
      for (const [at, length, space] of [
        [view.x, shown.width * view.scale, room.width],
        [view.y, shown.height * view.scale, room.height],
      ] as const) {
        if (length <= space) expect(at).toBeCloseTo((space - length) / 2, 3);
        else {
          expect(at).toBeLessThanOrEqual(0.001);
          expect(at + length).toBeGreaterThanOrEqual(space - 0.001);
        }
      }
      expect(view.scale).toBeGreaterThanOrEqual(fitScale(room, shown) - 1e-9);
    }),
  );
});

test('zooms to the block under a double tap, else to a readable size, and back out', () => {
  const whole = fit(box, picture);
  const block = { x: 0.25, y: 0.8, width: 0.5, height: 0.1 };
  const near = zoomToBlock(whole, toBox(whole, { x: 0.5, y: 0.85 }, picture), block, box, picture);
  const left = toBox(near, block, picture).x;
  expect(left).toBeGreaterThanOrEqual(11);
  expect(left + block.width * picture.width * near.scale).toBeLessThanOrEqual(349);
  const readable = zoomToBlock(whole, toBox(whole, { x: 0.5, y: 0.1 }, picture), block, box, picture);
  expect(readable.scale).toBe(1);
  expect(zoomToBlock(readable, { x: 10, y: 10 }, block, box, picture)).toEqual(whole);
});

test('scrolls a focused field into view and does not move if it is already visible', () => {
  const view = clamp({ scale: 1, x: 0, y: 0 }, box, picture);
  const field = { x: 0.6, y: 0.9, width: 0.2, height: 0.05 };
  const shown = reveal(view, field, box, picture);
  const at = toBox(shown, field, picture);
  expect(at.x).toBeGreaterThanOrEqual(0);
  expect(at.x + 256).toBeLessThanOrEqual(box.width);
  expect(at.y + 40).toBeLessThanOrEqual(box.height);
  expect(reveal(shown, field, box, picture)).toEqual(shown);
});
