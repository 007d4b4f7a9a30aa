// Buffers event frames while a reader of the event stream catches up. Beyond a limit, frames are dropped, and a replay must supply them.
import type { EventFrame } from 'agent-harness/plugins/chats';

const limitChars = 4 * 1024 * 1024;

export interface FrameBuffer {
  /** Whether frames were dropped, which a replay must supply. */
  readonly hasOverrun: boolean;
  readonly isEmpty: boolean;
  add(frames: readonly EventFrame[]): void;
  takeAll(): EventFrame[];
  /** Drops the buffered and all following frames. */
  overrun(): void;
  /** Starts to buffer again. Returns the last dropped `chat_switched`, because no replay of another chat contains it. */
  reset(): EventFrame | undefined;
}

export function createFrameBuffer(): FrameBuffer {
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

/** Merges two lists ordered by id, without duplicates. */
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
