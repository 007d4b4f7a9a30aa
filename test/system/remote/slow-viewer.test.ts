// Tests fast viewers beside slow ones with a fake clock, a simulated browser and connections of fixed bandwidth.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OpenWindow } from '../../../builtins/desktop/desktop-window/contract.ts';
import { createScreencast } from '../../../builtins/desktop/remote/frames/screencast.ts';
import { createMirror } from '../../../builtins/desktop/remote/frames/mirror.ts';
import { createViewer, type Viewer } from '../../../builtins/desktop/remote/frames/viewer.ts';
import { readFrameHeader } from '../../../builtins/desktop/remote/guest-protocol.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const page = { width: 800, height: 600 };
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A unique picture of the given size. */
function picture(bytes: number, count: number): Buffer {
  const jpeg = Buffer.alloc(Math.max(64, bytes));
  jpeg.set([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, page.height >> 8, page.height & 255, page.width >> 8, page.width & 255, 3]);
  jpeg.writeUInt32BE(count, 32);
  return jpeg;
}

/** A page in constant motion, cast at 60 Hz. Frames in flight arrive after a stop. @param busyMs duration of each browser reply */
function movingWindow(busyMs: number): OpenWindow {
  return {
    closed: new AbortController().signal,
    geometry: async () => ({ ...page, scale: 1 }),
    state: async () => 'normal',
    restore: async () => undefined,
    async session() {
      let take: ((frame: object) => void) | undefined;
      let casting: NodeJS.Timeout | undefined;
      let quality = 0;
      let count = 0;
      const frame = (): void => {
        const data = picture(quality * 70, ++count).toString('base64');
        setTimeout(() => take?.({ data, sessionId: count, metadata: { deviceWidth: page.width, deviceHeight: page.height } }), 8);
      };
      const answers: Record<string, (params: any) => void> = {
        'Page.startScreencast': (params) => {
          clearInterval(casting);
          quality = params.quality;
          // The first frame is drawn anew. A stop before it prevents it.
          casting = setTimeout(() => {
            frame();
            casting = setInterval(frame, 16);
          }, 30);
        },
        'Page.stopScreencast': () => clearInterval(casting),
      };
      return {
        async send(method: string, params?: object) {
          answers[method]?.(params);
          if (method !== 'Page.screencastFrameAck') await later(busyMs);
          return {};
        },
        on: (event: string, listener: (payload: any) => void) => void (event === 'Page.screencastFrame' && (take = listener)),
        off: () => undefined,
        detach: async () => clearInterval(casting),
      };
    },
  };
}

function watching(busyMs: number) {
  const now = (): number => performance.now();
  const mirror = createMirror({ now, onHost: () => undefined });
  mirror.setWindow(movingWindow(busyMs));
  return {
    mirror,
    /** @param bytesPerMs bandwidth, where a frame at best quality has 5.6 kB @param wayMs round-trip latency */
    join(bytesPerMs: number, wayMs = 5) {
      const gapMs = 1_000 / 15 + 1.4;
      const frames: number[] = [];
      const viewer: Viewer = createViewer({
        send(bytes) {
          const { seq } = readFrameHeader(bytes) ?? { seq: 0 };
          setTimeout(
            () => {
              frames.push(now());
              viewer.ack(seq);
            },
            wayMs + bytes.length / bytesPerMs,
          );
        },
        ...{ gapMs, now, onTransfer: () => mirror.noteTransfer(viewer), onStall: () => mirror.review() },
      });
      mirror.add(viewer, gapMs);
      return frames;
    },
  };
}

/** Number of frames per viewer within the last `ms`. */
const rates = (guests: readonly number[][], ms: number): number[] => guests.map((frames) => frames.filter((at) => at > performance.now() - ms).length);

test.each([2, 15, 40])('keeps the frame rate of four fast viewers beside slow ones, with %i ms per browser reply', async (busyMs) => {
  const { join, mirror } = watching(busyMs);
  const fast = [join(5_000), join(5_000), join(5_000), join(5_000)];
  await vi.advanceTimersByTimeAsync(5_000);
  const alone = Math.min(...rates(fast, 4_000));
  expect(alone).toBeGreaterThan(30);
  const slow = [join(12), join(6, 150)];
  // Checks every second to detect a temporarily stalled screencast.
  for (let second = 0; second < 14; second++) {
    await vi.advanceTimersByTimeAsync(1_000);
    for (const rate of rates(fast, 4_000)) expect(rate / alone, `second ${second}`).toBeGreaterThan(0.95);
  }
  for (const rate of rates(slow, 4_000)) expect(rate).toBeGreaterThan(4);
  void mirror.close();
  await vi.advanceTimersByTimeAsync(1_000);
});

test.each([2, 15, 40])('continues the screencast through quality changes and stills, with %i ms per browser reply', async (busyMs) => {
  const frames: number[] = [];
  const parts = { onSession: () => undefined, onAlive: () => undefined, onNavigated: () => undefined, gapMs: () => 68 };
  const cast = createScreencast(movingWindow(busyMs), { ...parts, onFrame: () => void frames.push(performance.now()) }, () => performance.now());
  const rungs = [80, 65, 50].map((quality) => ({ quality, scale: 1 }));
  for (let turn = 0; turn < 60; turn++) {
    void (turn % 3 === 2 ? cast.still(1, 85) : cast.run(rungs[turn % 3] ?? { quality: 80, scale: 1 }));
    await vi.advanceTimersByTimeAsync(500 + turn * 3);
    expect(frames.filter((at) => at > performance.now() - 250).length, `turn ${turn}`).toBeGreaterThan(1);
  }
  void cast.close();
  await vi.advanceTimersByTimeAsync(1_000);
});
