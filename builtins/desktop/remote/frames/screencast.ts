// The picture of a window, as its browser casts it. The only file that knows how Chromium does that: what it uses is experimental there.
import { createSerialQueue } from 'agent-harness/lib/async';
import type { CdpSession, OpenWindow } from 'agent-harness/builtins/desktop/desktop-window';
import { jpegSize, type Size } from './jpeg-size.ts';
import type { QualityLevel } from './quality-levels.ts';

export interface ScreencastFrame {
  readonly jpeg: Buffer;
  /** Milliseconds of this machine's clock. */
  readonly capturedAt: number;
  /** Of the page, in CSS pixels. */
  readonly page: Size;
  readonly image: Size;
}

export interface ScreencastParts {
  /** The way to the page is there; whoever sends inputs sends them on the same one. */
  readonly onSession: (session: CdpSession) => void;
  readonly onFrame: (frame: ScreencastFrame) => void;
  /** A frame came, the same one as before included. */
  readonly onAlive: () => void;
  /** The page is another one now. */
  readonly onNavigated: () => void;
  /** Between two frames of a page that moves. Milliseconds. */
  readonly gapMs: () => number;
}

export interface Screencast {
  /** Begins, or goes on with that quality. A frame comes at once where there is something to see. */
  run(level: QualityLevel): Promise<void>;
  /** Sharper, and as large as asked for; the cast rests meanwhile. */
  still(scale: number, quality: number): Promise<ScreencastFrame | undefined>;
  /** Begins anew: after a navigation, a crash, a silence. */
  again(): Promise<void>;
  /** When a frame came last, the same one again included. */
  readonly heardAt: number;
  close(): Promise<void>;
}

/** Frames that follow each other so fast are of a page that moves: Chromium copies sixty a second then, and nobody looks at so many. */
const motionMs = 50;
/** What it takes to begin again is taken off the gap. */
const beginMs = 12;
/**
 * While a page is cast: what it marks as hidden from guests is covered by a text of its own, and carets do not blink, as each blink would be a frame.
 * Runs before the first frame, and in each document before the page draws anything.
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

/** @param now milliseconds of a clock that nobody sets */
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

  /** A cast that began while nothing was drawn shows no more than its first frame. It says at each beginning whether anything is. */
  function seen({ visible }: { visible: boolean }): void {
    const isBack = visible && !isVisible;
    isVisible = visible;
    if (isBack) void queue.run(anew);
  }

  /** One that runs without anything being drawn is not mended by a second start. */
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
    // Before anything else: one that is not acknowledged stops all others.
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

  /** A cast that begins again shows what the page has come to, so the last picture of a movement is never missed. */
  function rests(): void {
    const own = setTimeout(
      () => {
        pause = undefined;
        void queue.run(begin);
      },
      Math.max(0, gapMs() - beginMs),
    );
    pause = own;
    // What is ahead in the queue may begin the cast itself, and nobody would begin it again after this stop.
    void queue.run(() => (pause === own ? session?.send('Page.stopScreencast').catch(() => undefined) : undefined));
  }

  async function begin(): Promise<void> {
    if (!session || !level || isClosed) return;
    clearTimeout(pause);
    pause = undefined;
    const { width, height } = page.width > 0 ? page : await window.geometry();
    const limit = { maxWidth: Math.max(1, Math.round(width * level.scale)), maxHeight: Math.max(1, Math.round(height * level.scale)) };
    // A page that has grown since is cut to the old size once, and the frame says so.
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
