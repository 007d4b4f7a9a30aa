// Captures the picture of a window through its browser's screencast. The only file that depends on how Chromium does that, which is experimental.
import { createSerialQueue } from '#lib/async';
import type { CdpSession, OpenWindow } from 'agent-harness/builtins/desktop/desktop-window';
import { jpegSize, type Size } from './jpeg-size.ts';
import type { QualityLevel } from './quality-levels.ts';

export interface ScreencastFrame {
  readonly jpeg: Buffer;
  /** In milliseconds of this machine's clock. */
  readonly capturedAt: number;
  /** Of the page, in CSS pixels. */
  readonly page: Size;
  readonly image: Size;
}

export interface ScreencastParts {
  /** The session with the page exists; inputs are sent through the same one. */
  readonly onSession: (session: CdpSession) => void;
  readonly onFrame: (frame: ScreencastFrame) => void;
  /** A frame came, even one equal to the last. */
  readonly onAlive: () => void;
  /** The page was navigated. */
  readonly onNavigated: () => void;
  /** Time between two frames of a moving page in milliseconds. */
  readonly gapMs: () => number;
}

export interface Screencast {
  /** Starts, or continues with that quality. A frame comes at once if there is something to see. */
  run(level: QualityLevel): Promise<void>;
  /** Sharper, and as large as requested; the screencast pauses meanwhile. */
  still(scale: number, quality: number): Promise<ScreencastFrame | undefined>;
  /** Restarts: after a navigation, a crash, a silence. */
  again(): Promise<void>;
  /** When a frame came last, even one equal to the one before. */
  readonly heardAt: number;
  close(): Promise<void>;
}

/** Frames in such quick succession mean a moving page: Chromium then copies sixty per second, more than a viewer needs. */
const motionMs = 50;
/** The time to restart is subtracted from the gap. */
const beginMs = 12;
/**
 * During a screencast, elements marked as hidden from guests are covered by a text, and carets do not blink, as each blink would be a frame.
 * Runs before the first frame, and in each document before the page renders anything.
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

/** @param now milliseconds of a monotonic clock */
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
      // Without them a guest could see what the page hides from guests.
      await opened.detach().catch(() => undefined);
      throw fault;
    }
    session = opened;
    onSession(opened);
    return opened;
  }

  /** A screencast started while nothing was rendered shows only its first frame. At each start it reports whether anything is. */
  function seen({ visible }: { visible: boolean }): void {
    const isBack = visible && !isVisible;
    isVisible = visible;
    if (isBack) void queue.run(anew);
  }

  /** One that runs while nothing is rendered is not fixed by a restart. */
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
    // First of all: an unacknowledged frame blocks all others.
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

  /** A restarted screencast shows the page's current state, so the last picture of a movement is never missed. */
  function rests(): void {
    const own = setTimeout(
      () => {
        pause = undefined;
        void queue.run(begin);
      },
      Math.max(0, gapMs() - beginMs),
    );
    pause = own;
    // Earlier work in the queue may start the screencast itself, and nothing would restart it after this stop.
    void queue.run(() => (pause === own ? session?.send('Page.stopScreencast').catch(() => undefined) : undefined));
  }

  async function begin(): Promise<void> {
    if (!session || !level || isClosed) return;
    clearTimeout(pause);
    pause = undefined;
    const { width, height } = page.width > 0 ? page : await window.geometry();
    const limit = { maxWidth: Math.max(1, Math.round(width * level.scale)), maxHeight: Math.max(1, Math.round(height * level.scale)) };
    // A page that has grown since is cut to the old size once, and the frame reports that.
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
