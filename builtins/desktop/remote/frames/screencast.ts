// Captures the image of a window with Chromium's screencast, which is experimental; no other module depends on its behaviour.
import { createSerialQueue } from '#lib/async';
import type { CdpSession, OpenWindow } from 'agent-harness/builtins/desktop/desktop-window';
import { jpegSize, type Size } from './jpeg-size.ts';
import type { QualityLevel } from './quality-levels.ts';

export interface ScreencastFrame {
  readonly jpeg: Buffer;
  /** Time of this machine's clock in milliseconds. */
  readonly capturedAt: number;
  /** Size of the page in CSS pixels. */
  readonly page: Size;
  readonly image: Size;
}

export interface ScreencastParts {
  /** Called when the session with the page has been opened; inputs use the same session. */
  readonly onSession: (session: CdpSession) => void;
  readonly onFrame: (frame: ScreencastFrame) => void;
  /** Called for each frame, including one equal to the previous one. */
  readonly onAlive: () => void;
  /** Called when the page was navigated. */
  readonly onNavigated: () => void;
  /** Minimum interval between two frames of a moving page, in milliseconds. */
  readonly gapMs: () => number;
}

export interface Screencast {
  /** Starts the screencast, or continues it at the given quality. A frame follows immediately if the page is visible. */
  run(level: QualityLevel): Promise<void>;
  /** Captures one sharp image of the requested size; the screencast pauses during the capture. */
  still(scale: number, quality: number): Promise<ScreencastFrame | undefined>;
  /** Restarts the screencast after a navigation, a crash or a period without frames. */
  again(): Promise<void>;
  /** Time of the last frame, including one equal to the previous one. */
  readonly heardAt: number;
  close(): Promise<void>;
}

/** Frames within this interval, in milliseconds, indicate a moving page. Chromium then captures sixty frames per second, more than a viewer needs. */
const motionMs = 50;
/** Duration of a restart in milliseconds, which is subtracted from the interval. */
const beginMs = 12;
/**
 * During a screencast, an overlay text covers elements that are hidden from guests. Carets do not blink, because each blink would produce a frame. The script
 * runs before the first frame, and in each document before its first rendering.
 */
const castStyles = `(() => {
  const key = Symbol.for('remote guests');
  if (document[key]) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { caret-animation: manual !important } [data-guest-hidden], [data-guest-hidden] * { visibility: hidden !important } [data-guest-hidden]::before { content: attr(data-guest-hidden); visibility: visible !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  document[key] = () => { document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet); delete document[key]; };
})()`;
const castStylesEnd = `document[Symbol.for('remote guests')]?.()`;

/** @param now returns the time of a monotonic clock in milliseconds */
export function createScreencast(window: OpenWindow, { onSession, onFrame, onAlive, onNavigated, gapMs }: ScreencastParts, now: () => number): Screencast {
  const queue = createSerialQueue();
  let session: CdpSession | undefined;
  let level: QualityLevel | undefined;
  let page: Size = { width: 0, height: 0 };
  let previous: Buffer | undefined;
  let heardAt = -Infinity;
  let pause: NodeJS.Timeout | undefined;
  let isVisible = true;
  let isClosed = false;

  async function open(): Promise<CdpSession> {
    if (session) return session;
    const opened = await window.session();
    opened.on('Page.screencastFrame', take);
    opened.on('Page.frameNavigated', ({ frame }: { frame: { parentId?: string } }) => {
      if (frame.parentId === undefined) navigated();
    });
    opened.on('Inspector.targetReloadedAfterCrash', navigated);
    opened.on('Page.screencastVisibilityChanged', seen);
    await opened.send('Page.enable');
    await opened.send('Inspector.enable').catch(() => undefined);
    try {
      await opened.send('Page.addScriptToEvaluateOnNewDocument', { source: castStyles });
      await opened.send('Runtime.evaluate', { expression: castStyles });
    } catch (fault) {
      // Detaches, because without these styles a guest could see content that the page hides from guests.
      await opened.detach().catch(() => undefined);
      throw fault;
    }
    session = opened;
    onSession(opened);
    return opened;
  }

  /**
   * Handles the visibility of the page. A screencast that starts while nothing is rendered shows only its first frame; each start reports whether the page is
   * visible.
   */
  function seen({ visible }: { visible: boolean }): void {
    const isBack = visible && !isVisible;
    isVisible = visible;
    if (isBack) void queue.run(anew);
  }

  /** Restarts the screencast unless nothing is rendered, because a restart would not help then. */
  async function anew(): Promise<void> {
    await stop();
    await begin();
  }

  function navigated(): void {
    onNavigated();
    void queue.run(begin);
  }

  function take({
    data,
    sessionId,
    metadata,
  }: {
    data: string;
    sessionId: number;
    metadata: { deviceWidth: number; deviceHeight: number; timestamp?: number };
  }): void {
    // Acknowledges first, because an unacknowledged frame blocks all others.
    session?.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
    if (!level || isClosed) return;
    const since = now() - heardAt;
    heardAt = now();
    const jpeg = Buffer.from(data, 'base64');
    const isSame = previous?.equals(jpeg) === true;
    if (!isSame && since < motionMs && !pause) rests();
    onAlive();
    if (isSame) return;
    previous = jpeg;
    const image = jpegSize(jpeg);
    page = { width: Math.round(metadata.deviceWidth), height: Math.round(metadata.deviceHeight) };
    if (image) onFrame({ jpeg, capturedAt: metadata.timestamp === undefined ? Date.now() : metadata.timestamp * 1000, page, image });
  }

  /** Handles a page that has stopped moving. A restarted screencast shows the current state of the page, so the last frame of a movement is never lost. */
  function rests(): void {
    const own = setTimeout(
      () => {
        pause = undefined;
        void queue.run(begin);
      },
      Math.max(0, gapMs() - beginMs),
    );
    pause = own;
    // An earlier task in the queue may start the screencast, and nothing would restart it after this stop.
    void queue.run(() => (pause === own ? session?.send('Page.stopScreencast').catch(() => undefined) : undefined));
  }

  async function begin(): Promise<void> {
    if (!session || !level || isClosed) return;
    clearTimeout(pause);
    pause = undefined;
    const { width, height } = page.width > 0 ? page : await window.geometry();
    const limit = { maxWidth: Math.max(1, Math.round(width * level.scale)), maxHeight: Math.max(1, Math.round(height * level.scale)) };
    // If the page has grown, the image is truncated once, and the frame reports that.
    await session.send('Page.startScreencast', { format: 'jpeg', quality: level.quality, ...limit, everyNthFrame: 1 }).catch(() => undefined);
  }

  async function stop(): Promise<void> {
    clearTimeout(pause);
    pause = undefined;
    await session?.send('Page.stopScreencast').catch(() => undefined);
  }

  return {
    get heardAt() {
      return heardAt;
    },
    run: (wanted) =>
      queue.run(async () => {
        if (isClosed) return;
        level = wanted;
        previous = undefined;
        await open();
        await stop();
        await begin();
      }),
    again: () => queue.run(anew),
    still: (scale, quality) =>
      queue.run(async () => {
        if (!session || !level || isClosed) return undefined;
        const size = page;
        await stop();
        try {
          const clip = { x: 0, y: 0, width: size.width, height: size.height, scale };
          const metrics = (await session.send('Page.getLayoutMetrics')) as { cssVisualViewport: { pageX: number; pageY: number } };
          const at = { x: metrics.cssVisualViewport.pageX, y: metrics.cssVisualViewport.pageY };
          const capturedAt = Date.now();
          const { data } = (await session.send('Page.captureScreenshot', { format: 'jpeg', quality, optimizeForSpeed: true, clip: { ...clip, ...at } })) as {
            data: string;
          };
          const jpeg = Buffer.from(data, 'base64');
          const image = jpegSize(jpeg);
          return image && { jpeg, capturedAt, page: size, image };
        } catch {
          return undefined;
        } finally {
          await begin();
        }
      }),
    async close() {
      isClosed = true;
      level = undefined;
      await queue.run(async () => {
        await stop();
        await session?.send('Runtime.evaluate', { expression: castStylesEnd }).catch(() => undefined);
        await session?.detach().catch(() => undefined);
        session = undefined;
      });
    },
  };
}
