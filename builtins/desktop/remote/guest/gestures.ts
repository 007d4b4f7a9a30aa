// Recognises touch gestures from finger positions and times. Pure, except for the state of the current touch.
import type { Point } from './viewport.ts';

export type Gesture =
  | ({ readonly type: 'tap' | 'double-tap' | 'long-press' | 'two-finger-tap' } & Point)
  /** One finger moves. */
  | ({ readonly type: 'drag'; readonly dx: number; readonly dy: number } & Point)
  /** Two fingers move; `x` and `y` are their midpoint. */
  | ({ readonly type: 'pinch'; readonly dx: number; readonly dy: number; readonly factor: number } & Point)
  /** A finger that was held down moves or is lifted. */
  | ({ readonly type: 'held-drag'; readonly dx: number; readonly dy: number } & Point)
  | ({ readonly type: 'held-end' } & Point)
  /** All fingers were lifted. */
  | { readonly type: 'end' };

export interface GestureRules {
  /** Whether a double tap has its own meaning, which delays the first tap. */
  readonly waitsForSecond: boolean;
}

export interface Gestures {
  down(id: number, at: Point, now: number): void;
  move(id: number, at: Point, now: number): void;
  up(id: number, at: Point, now: number): void;
  /** Called when the system takes over a touch. */
  cancel(): void;
  /** Call repeatedly while {@link nextAt} returns a time. */
  tick(now: number): void;
  /** Returns the time of the next {@link tick}; `undefined` if none is due. */
  nextAt(): number | undefined;
}

/** Touch slop: maximum movement of a tap, in pixels. */
const slop = 10;
const longPressMs = 500;
const secondTapMs = 260;
const secondTapDistance = 40;

interface Finger {
  readonly from: Point;
  readonly since: number;
  at: Point;
}

export function createGestures(tell: (gesture: Gesture) => void, rules: () => GestureRules): Gestures {
  const fingers = new Map<number, Finger>();
  let phase: 'none' | 'undecided' | 'drag' | 'two' | 'held' | 'spent' = 'none';
  let waiting: (Point & { readonly until: number }) | undefined;
  /** Whether both fingers stayed in place. */
  let isTwoTap = false;
  let twoSince = 0;

  function middle(): { readonly at: Point; readonly distance: number } {
    const [one, other] = [...fingers.values()] as [Finger, Finger];
    return {
      at: { x: (one.at.x + other.at.x) / 2, y: (one.at.y + other.at.y) / 2 },
      distance: Math.hypot(one.at.x - other.at.x, one.at.y - other.at.y),
    };
  }

  function tapped(at: Point, now: number): void {
    if (waiting && now <= waiting.until && Math.hypot(at.x - waiting.x, at.y - waiting.y) < secondTapDistance) {
      waiting = undefined;
      tell({ type: 'double-tap', ...at });
    } else if (rules().waitsForSecond) {
      flushTap();
      waiting = { ...at, until: now + secondTapMs };
    } else tell({ type: 'tap', ...at });
  }

  function flushTap(): void {
    if (!waiting) return;
    const { x, y } = waiting;
    waiting = undefined;
    tell({ type: 'tap', x, y });
  }

  function tick(now: number): void {
    const [only] = fingers.values();
    if (phase === 'undecided' && only && now - only.since >= longPressMs) {
      phase = 'held';
      tell({ type: 'long-press', ...only.at });
    }
    // A pressed finger may become the second tap.
    if (waiting && now >= waiting.until && phase !== 'undecided') flushTap();
  }

  function moveOne(finger: Finger, at: Point): void {
    const [dx, dy] = [at.x - finger.at.x, at.y - finger.at.y];
    if (phase === 'undecided') {
      if (Math.hypot(at.x - finger.from.x, at.y - finger.from.y) < slop) return;
      flushTap();
      phase = 'drag';
    }
    finger.at = at;
    if (phase === 'drag') tell({ type: 'drag', ...at, dx, dy });
    if (phase === 'held') tell({ type: 'held-drag', ...at, dx, dy });
  }

  function moveTwo(finger: Finger, at: Point): void {
    const before = middle();
    finger.at = at;
    const after = middle();
    if (isTwoTap && Math.hypot(at.x - finger.from.x, at.y - finger.from.y) < slop) return;
    isTwoTap = false;
    tell({
      type: 'pinch',
      ...after.at,
      dx: after.at.x - before.at.x,
      dy: after.at.y - before.at.y,
      factor: before.distance > 0 ? after.distance / before.distance : 1,
    });
  }

  return {
    down(id, at, now) {
      tick(now);
      fingers.set(id, { from: at, since: now, at });
      if (fingers.size === 1) phase = 'undecided';
      else if (fingers.size === 2 && phase !== 'held') {
        if (phase === 'undecided') flushTap();
        isTwoTap = phase === 'undecided';
        twoSince = now;
        phase = 'two';
      } else if (fingers.size > 2) phase = 'spent';
    },
    move(id, at, now) {
      tick(now);
      const finger = fingers.get(id);
      if (!finger) return;
      if (phase === 'two') moveTwo(finger, at);
      else if (fingers.size === 1) moveOne(finger, at);
    },
    up(id, at, now) {
      tick(now);
      const finger = fingers.get(id);
      if (!finger) return;
      if (phase === 'undecided') tapped(finger.from, now);
      if (phase === 'held') tell({ type: 'held-end', ...at });
      if (phase === 'two') {
        if (isTwoTap && now - twoSince < longPressMs) tell({ type: 'two-finger-tap', ...middle().at });
        phase = 'spent';
      }
      fingers.delete(id);
      if (fingers.size > 0) return;
      phase = 'none';
      tell({ type: 'end' });
    },
    cancel() {
      const [only] = fingers.values();
      if (phase === 'held' && only) tell({ type: 'held-end', ...only.at });
      fingers.clear();
      phase = 'none';
      waiting = undefined;
      tell({ type: 'end' });
    },
    tick,
    nextAt() {
      const [only] = fingers.values();
      const times = [...(phase === 'undecided' && only ? [only.since + longPressMs] : []), ...(waiting && phase === 'none' ? [waiting.until] : [])];
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
}
