// Sends frames to one viewer within the frame rate. Waits until each frame is acknowledged, and then sends the newest one.
import { frameHeaderBytes, writeFrameHeader } from '../guest-protocol.ts';
import type { ScreencastFrame } from './screencast.ts';

export interface Frame extends ScreencastFrame {
  readonly seq: number;
  readonly geometry: number;
  readonly isStill: boolean;
}

export interface ViewerParts {
  readonly send: (bytes: Uint8Array) => void;
  /** Minimum interval between two frames in milliseconds. */
  readonly gapMs: number;
  readonly now: () => number;
  /** Called with the time that the acknowledgement of a frame took. */
  readonly onTransfer: (ms: number) => void;
  /** Called when the viewer has stopped or resumed acknowledging frames. */
  readonly onStall: () => void;
}

export interface Viewer {
  offer(frame: Frame): void;
  ack(seq: number): void;
  /** Handles an executed input. Frames that were captured after `at`, in milliseconds of this machine's clock, may show its effect. */
  noteInput(n: number, at: number): void;
  /** Whether the viewer has not acknowledged frames for so long that no more are produced for it. */
  readonly isStalled: boolean;
  /** Time that the acknowledgement of the last frame took, in milliseconds, or the age of the current frame if that is longer. */
  readonly slownessMs: number;
  /** Measured bandwidth; `undefined` before the first acknowledgement. */
  readonly bytesPerMs: number | undefined;
  close(): void;
}

const stallMs = 10_000;
/** Delay in milliseconds before a frame of a moving page is sent, so that a newer frame can replace it. */
const freshMs = 12;
const maxInputs = 64;

export function createViewer({ send, gapMs, now, onTransfer, onStall }: ViewerParts): Viewer {
  let inFlight: { readonly seq: number; readonly at: number; readonly bytes: number } | undefined;
  let next: Frame | undefined;
  let sentSeq = 0;
  let opensAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let stallTimer: NodeJS.Timeout | undefined;
  let isStalled = false;
  let lastMs = 0;
  let bytesPerMs: number | undefined;
  let acked = 0;
  let done: { readonly n: number; readonly at: number }[] = [];

  function pump(isFresh: boolean): void {
    if (inFlight || !next || timer) return;
    const wait = opensAt - now();
    if (wait <= 0 && isFresh) transmit(next);
    else wake(Math.max(wait, 0) + (next.isStill ? 0 : freshMs));
  }

  function wake(ms: number): void {
    timer = setTimeout(() => {
      timer = undefined;
      if (!inFlight && next) transmit(next);
    }, ms);
  }

  function transmit(frame: Frame): void {
    clearTimeout(timer);
    timer = next = undefined;
    for (const { n } of done.filter(({ at }) => at <= frame.capturedAt)) acked = Math.max(acked, n);
    done = done.filter(({ at }) => at > frame.capturedAt);
    const bytes = Buffer.allocUnsafe(frameHeaderBytes + frame.jpeg.length);
    writeFrameHeader(bytes, {
      ...{ isStill: frame.isStill, isLast: frame.isStill, seq: frame.seq, capturedAt: frame.capturedAt, geometry: frame.geometry, ackedInput: acked },
      ...{ cssWidth: frame.page.width, cssHeight: frame.page.height, imageWidth: frame.image.width, imageHeight: frame.image.height },
    });
    frame.jpeg.copy(bytes, frameHeaderBytes);
    const at = now();
    // A slightly late frame does not delay the next one.
    opensAt = Math.max(opensAt, at - freshMs) + gapMs;
    sentSeq = frame.seq;
    inFlight = { seq: frame.seq, at, bytes: bytes.length };
    stallTimer = setTimeout(() => {
      isStalled = true;
      onStall();
    }, stallMs);
    send(bytes);
  }

  return {
    get isStalled() {
      return isStalled;
    },
    get slownessMs() {
      return Math.max(lastMs, inFlight ? now() - inFlight.at : 0);
    },
    get bytesPerMs() {
      return bytesPerMs;
    },
    offer(frame) {
      if (frame.seq <= sentSeq || isStalled) return;
      next = frame;
      // The current frame replaces a postponed one.
      if (timer && opensAt <= now()) {
        clearTimeout(timer);
        timer = undefined;
      }
      pump(true);
    },
    ack(seq) {
      if (!inFlight || seq !== inFlight.seq) return;
      clearTimeout(stallTimer);
      lastMs = now() - inFlight.at;
      const rate = inFlight.bytes / Math.max(1, lastMs);
      bytesPerMs = bytesPerMs === undefined ? rate : bytesPerMs * 0.7 + rate * 0.3;
      inFlight = undefined;
      if (isStalled) {
        isStalled = false;
        onStall();
      }
      onTransfer(lastMs);
      pump(false);
    },
    noteInput(n, at) {
      done = [...done, { n, at }].slice(-maxInputs);
    },
    close() {
      clearTimeout(timer);
      clearTimeout(stallTimer);
      next = undefined;
    },
  };
}
