// Streams the window to its viewers: a screencast while there are viewers, a sharp image when the page is still, and the state of the window.
import { createSerialQueue } from '#lib/async';
import type { CdpSession, OpenWindow } from 'agent-harness/builtins/desktop/desktop-window';
import { createScreencast, type Screencast, type ScreencastFrame } from './screencast.ts';
import type { Size } from './jpeg-size.ts';
import { createQualityControl } from './quality-levels.ts';
import { stillPlan, type View } from './still-plan.ts';
import type { Frame, Viewer } from './viewer.ts';

export type HostState = 'shown' | 'minimized' | 'gone' | 'waiting';

export interface MirrorParts {
  readonly now: () => number;
  readonly onHost: (state: HostState) => void;
}

/** Target of inputs, which is the page that is being captured. */
export interface Stage {
  readonly session: CdpSession;
  readonly page: Size;
  readonly geometry: number;
}

export interface Mirror {
  /** Sets the current window; `undefined` if there is none. */
  setWindow(window: OpenWindow | undefined): void;
  add(viewer: Viewer, gapMs: number): void;
  remove(viewer: Viewer): void;
  /** Sets the area in which the guest displays the image. */
  setView(viewer: Viewer, view: View): void;
  /** Called when the set of viewers has changed. */
  review(): void;
  /** Called when a viewer has acknowledged a frame. */
  noteTransfer(viewer: Viewer): void;
  /** Called on input of a guest, after which the page may change. */
  noteInput(): void;
  restore(): Promise<void>;
  readonly host: HostState;
  /** `undefined` while no page can receive input. */
  readonly stage: Stage | undefined;
  close(): Promise<void>;
}

const restMs = 800;
const lookMs = 2_000;
/** Interval in milliseconds at which a frame is requested from a still page, to check that the screencast works. */
const silenceMs = 10_000;
const answerMs = 2_000;

interface Watching {
  readonly gapMs: number;
  view?: View;
  /** Sequence number of the last frame that this viewer received as a sharp image. */
  sharpSeq?: number;
}

export function createMirror({ now, onHost }: MirrorParts): Mirror {
  const viewers = new Map<Viewer, Watching>();
  const quality = createQualityControl();
  const stills = createSerialQueue();
  let window: OpenWindow | undefined;
  let cast: Screencast | undefined;
  let session: CdpSession | undefined;
  let latest: Frame | undefined;
  let seq = 0;
  let geometry = 1;
  let host: HostState = 'gone';
  let resting: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let askedAt: number | undefined;

  function notify(state: HostState): void {
    if (host === state) return;
    host = state;
    onHost(state);
  }

  const isWatched = (): boolean => [...viewers.keys()].some((viewer) => !viewer.isStalled);

  function review(): void {
    if (window && isWatched() && !cast) begin(window);
    else if (cast && (!window || !isWatched())) end();
  }

  function begin(shown: OpenWindow): void {
    if (host === 'gone') notify('waiting');
    const own: Screencast = createScreencast(
      shown,
      {
        onSession: (opened) => (session = opened),
        onFrame: (frame) => (cast === own ? take(frame) : undefined),
        onAlive() {
          if (cast !== own) return;
          askedAt = undefined;
          if (latest) notify('shown');
        },
        onNavigated: () => geometry++,
        gapMs: () => Math.min(...[...viewers].filter(([viewer]) => !viewer.isStalled).map(([, { gapMs }]) => gapMs), 1_000),
      },
      now,
    );
    cast = own;
    askedAt = now();
    own.run(quality.rung).catch(() => undefined);
    looking = setInterval(() => void look(shown, own), lookMs);
    void look(shown, own);
  }

  function end(): void {
    clearInterval(looking);
    clearTimeout(resting);
    const ending = cast;
    cast = session = latest = undefined;
    void ending?.close().catch(() => undefined);
  }

  function take(frame: ScreencastFrame): void {
    if (latest && (latest.page.width !== frame.page.width || latest.page.height !== frame.page.height)) geometry++;
    latest = { ...frame, seq: ++seq, geometry, isStill: false };
    notify('shown');
    for (const viewer of viewers.keys()) viewer.offer(latest);
    rest();
  }

  function rest(): void {
    clearTimeout(resting);
    resting = setTimeout(() => {
      for (const viewer of viewers.keys()) sharpen(viewer);
    }, restMs);
  }

  /** Sends a captured image to other viewers of the same size as well. */
  function sharpen(viewer: Viewer): void {
    const own = cast;
    const watching = viewers.get(viewer);
    const of = latest;
    if (!own || !of || !watching?.view || viewer.isStalled || watching.sharpSeq === of.seq) return;
    const { view } = watching;
    watching.sharpSeq = of.seq;
    void stills.run(async () => {
      if (latest !== of || cast !== own) return;
      const { scale, quality, isWorthIt } = stillPlan(of, view, viewer.bytesPerMs);
      const still = isWorthIt ? await own.still(scale, quality) : undefined;
      if (!still || latest !== of || cast !== own) return;
      viewer.offer({ ...still, seq: ++seq, geometry, isStill: true });
    });
  }

  async function look(shown: OpenWindow, own: Screencast): Promise<void> {
    const state = await shown.state().catch(() => undefined);
    if (cast !== own || state === undefined) return;
    if (state === 'minimized') {
      askedAt = undefined;
      notify('minimized');
      return;
    }
    if (host === 'minimized') {
      notify('waiting');
      askedAt = now();
      await own.again();
    } else if (askedAt !== undefined && now() - askedAt > answerMs) {
      notify('waiting');
      askedAt = now();
      await own.again();
    } else if (now() - own.heardAt > silenceMs && askedAt === undefined) {
      askedAt = now();
      await own.again();
    }
  }

  return {
    get host() {
      return host;
    },
    get stage() {
      return session && latest && { session, page: latest.page, geometry };
    },
    setWindow(next) {
      if (next === window) return;
      end();
      window = next;
      geometry++;
      notify(next ? 'waiting' : 'gone');
      review();
    },
    add(viewer, gapMs) {
      viewers.set(viewer, { gapMs });
      if (latest) viewer.offer(latest);
      review();
    },
    remove(viewer) {
      viewers.delete(viewer);
      viewer.close();
      review();
    },
    setView(viewer, view) {
      const watching = viewers.get(viewer);
      if (!watching) return;
      watching.view = view;
      delete watching.sharpSeq;
      rest();
    },
    review,
    noteTransfer(viewer) {
      const slowest = Math.max(0, ...[...viewers.keys()].filter((one) => !one.isStalled).map((one) => one.slownessMs));
      // Counts each frame of the slowest viewer once, whatever other viewers receive.
      if (viewer.slownessMs < slowest) return;
      if (quality.observe(slowest, now())) void cast?.run(quality.rung).catch(() => undefined);
    },
    noteInput: () => (latest ? rest() : undefined),
    async restore() {
      await window?.restore();
      if (window && cast) await look(window, cast);
    },
    async close() {
      const ending = cast;
      window = undefined;
      end();
      for (const viewer of viewers.keys()) viewer.close();
      viewers.clear();
      await ending?.close();
    },
  };
}
