// Tests the picture of a viewer: sharp stills, navigation, minimised windows, and pacing.
import { expect, test } from 'vitest';
import { createQualityControl, qualityLevels } from '../../../builtins/desktop/remote/frames/quality-levels.ts';
import { stillPlan } from '../../../builtins/desktop/remote/frames/still-plan.ts';
import { createViewer, type Frame } from '../../../builtins/desktop/remote/frames/viewer.ts';
import { jpegSize } from '../../../builtins/desktop/remote/frames/jpeg-size.ts';
import { free, useRemoteWorld } from './remote-world.ts';

const world = useRemoteWorld();

test('sends one still in device pixels when the page is at rest', async () => {
  const guest = await world.come(await world.open());
  await guest.frame();
  guest.say({ type: 'view', width: 800, height: 600, dpr: 2 });
  const still = await guest.frame(({ isStill }) => isStill);
  expect(still).toMatchObject({ imageWidth: 1600, imageHeight: 1200, cssWidth: 800, cssHeight: 600, isLast: true });
  expect(jpegSize(still.jpeg)).toEqual({ width: 1600, height: 1200 });
  const count = guest.frames.length;
  await world.window.page.evaluate(() => (document.body.style.background = 'green'));
  await guest.frame((frame) => guest.frames.indexOf(frame) >= count && !frame.isStill);
  await guest.frame((frame) => guest.frames.indexOf(frame) > count && frame.isStill);
});

test('sends the last frame to a later viewer immediately', async () => {
  const code = await world.open();
  const first = await world.come(code);
  const { seq } = await first.frame();
  const second = await world.come(code);
  expect((await second.frame()).seq).toBe(seq);
});

test('continues after a navigation and resize, and rejects inputs for the earlier geometry', async () => {
  const guest = await world.comeToControl();
  const before = (await guest.frame()).geometry;
  await world.window.page.setViewportSize({ width: 640, height: 480 });
  await guest.frame(({ cssWidth }) => cssWidth === 640);
  await world.window.page.goto('data:text/html,<h1>another page</h1>');
  const after = await guest.frame(({ geometry }) => geometry > before + 1);
  expect(after.cssHeight).toBe(480);
  guest.input({ type: 'down', ...free, button: 'left', clickCount: 1, modifiers: 0, geometry: before });
  await guest.message('refused', ({ reason }) => reason === 'stale');
});

test('reports a closed window', async () => {
  const guest = await world.come(await world.open());
  await guest.frame();
  world.window.closeWindow();
  await guest.message('state', ({ host }) => host === 'gone');
});

test('releases pressed keys of a viewer when it leaves', async () => {
  await world.window.page.evaluate(() => {
    const seen: string[] = ((globalThis as any).seen = []);
    for (const type of ['keydown', 'keyup', 'mousedown', 'mouseup']) document.addEventListener(type, () => void seen.push(type), true);
  });
  const guest = await world.comeToControl();
  guest.input({ type: 'key', key: 'a', code: 'KeyA', modifiers: 0, down: true });
  guest.input({ type: 'down', ...free, button: 'left', clickCount: 1, modifiers: 0 });
  const seen = (): Promise<string[]> => world.window.page.evaluate(() => (globalThis as any).seen);
  await expect.poll(seen).toEqual(['keydown', 'mousedown']);
  guest.close();
  await expect.poll(seen).toContain('keyup');
});

const frame = (seq: number): Frame => ({
  ...{ seq, geometry: 1, isStill: false, capturedAt: 0, jpeg: Buffer.alloc(1_000) },
  ...{ page: { width: 800, height: 600 }, image: { width: 800, height: 600 } },
});

test('keeps one frame in flight and sends only the newest one next', () => {
  let now = 0;
  const sent: number[] = [];
  const viewer = createViewer({
    ...{ send: (bytes) => void sent.push(new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true)), gapMs: 0, now: () => now },
    ...{ onTransfer: () => undefined, onStall: () => undefined },
  });
  for (const seq of [1, 2, 3, 4]) viewer.offer(frame(seq));
  viewer.ack(7);
  expect(sent).toEqual([1]);
  now = 1_000;
  viewer.ack(1);
  viewer.offer(frame(5));
  expect(sent).toEqual([1, 5]);
  viewer.close();
});

test('lowers the quality on a slow connection without oscillating, and keeps the best on a fast one', () => {
  const quality = createQualityControl();
  /** Transfer time of a frame per quality level at 1 Mbit/s. */
  const takes = [430, 340, 280, 150, 60];
  const changes: number[] = [];
  for (let now = 0; now < 300_000;) {
    const ms = takes[qualityLevels.indexOf(quality.rung)] ?? 0;
    now += Math.max(67, ms);
    if (quality.observe(ms, now)) changes.push(now);
  }
  expect(changes.length).toBeLessThan(12);
  const fast = createQualityControl();
  for (let now = 0; now < 10_000; now += 67) fast.observe(20, now);
  expect(fast.rung).toBe(qualityLevels[0]);
});

test('limits a still to the capacity of the connection', () => {
  const view = { width: 400, height: 300, dpr: 3 };
  expect(stillPlan(frame(1), view, undefined)).toMatchObject({ scale: 1.5, isWorthIt: true });
  const poor = { ...frame(1), jpeg: Buffer.alloc(60_000) };
  expect(stillPlan(poor, view, 5).isWorthIt).toBe(false);
  expect(stillPlan(poor, { width: 9_000, height: 9_000, dpr: 8 }, undefined).scale).toBeLessThanOrEqual(3);
});
