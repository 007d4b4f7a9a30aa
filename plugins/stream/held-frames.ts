// Frames that arrive while a reader still catches up: held back, bounded, and let go where only a replay can bring them.
import type { EventFrame } from 'agent-harness/plugins/chats';

const limitChars = 4 * 1024 * 1024;

export interface HeldFrames {
  /** Frames were let go; a replay must bring them. */
  readonly hasOverrun: boolean;
  readonly isEmpty: boolean;
  add(frames: readonly EventFrame[]): void;
  takeAll(): EventFrame[];
  /** Lets go what is held, and what comes from now on. */
  overrun(): void;
  /** Holds again. Answers the last `chat_switched` that was let go, since no replay of another chat brings it back. */
  reset(): EventFrame | undefined;
}

export function createHeldFrames(): HeldFrames {
  let frames: EventFrame[] = [];
  let chars = 0;
  let hasOverrun = false;
  let lostSwitch: EventFrame | undefined;

  function letGo(some: readonly EventFrame[]): void {
    lostSwitch = some.findLast((frame) => frame.kind === 'chat_switched') ?? lostSwitch;
  }

  function overrun(): void {
    hasOverrun = true;
    letGo(frames);
    frames = [];
    chars = 0;
  }

  return {
    get hasOverrun() {
      return hasOverrun;
    },
    get isEmpty() {
      return frames.length === 0;
    },
    add(some) {
      if (hasOverrun) return letGo(some);
      for (const frame of some) {
        frames.push(frame);
        chars += frame.json.length;
      }
      if (chars > limitChars) overrun();
    },
    takeAll() {
      const taken = frames;
      frames = [];
      chars = 0;
      return taken;
    },
    overrun,
    reset() {
      hasOverrun = false;
      const lost = lostSwitch;
      lostSwitch = undefined;
      return lost;
    },
  };
}

/** Two lists in order of ids as one, without repeats. */
export function mergeById(left: readonly EventFrame[], right: readonly EventFrame[]): readonly EventFrame[] {
  if (right.length === 0) return left;
  if (left.length === 0) return right;
  const merged: EventFrame[] = [];
  for (let one = 0, other = 0; one < left.length || other < right.length;) {
    const first = left[one];
    const second = right[other];
    if (first && (!second || first.id <= second.id)) {
      merged.push(first);
      one++;
      if (first.id === second?.id) other++;
    } else if (second) {
      merged.push(second);
      other++;
    }
  }
  return merged;
}
