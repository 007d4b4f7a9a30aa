// Stores the newest event frames in memory, up to a number of bytes.
import type { EventFrame } from '../contract.ts';

export interface FrameRing {
  push(frame: EventFrame): void;
  /** Returns the frames after `since`, oldest first; `undefined` if some of them may have been dropped. */
  after(since: number): readonly EventFrame[] | undefined;
  /** Returns all frames, oldest first. */
  all(): readonly EventFrame[];
}

/** Creates a ring buffer. @param floor id after which the buffer contains every frame */
export function createFrameRing(limitBytes: number, floor: number): FrameRing {
  let frames: EventFrame[] = [];
  let head = 0;
  let bytes = 0;
  let lostUpTo = floor;

  return {
    push(frame) {
      frames.push(frame);
      bytes += frame.json.length;
      while (bytes > limitBytes && head < frames.length) {
        const oldest = frames[head++] as EventFrame;
        bytes -= oldest.json.length;
        lostUpTo = oldest.id;
      }
      if (head > 1_024 && head * 2 > frames.length) {
        frames = frames.slice(head);
        head = 0;
      }
    },
    all: () => frames.slice(head),
    after(since) {
      if (since < lostUpTo) return undefined;
      let low = head;
      for (let high = frames.length; low < high;) {
        const middle = (low + high) >> 1;
        if ((frames[middle] as EventFrame).id > since) high = middle;
        else low = middle + 1;
      }
      return frames.slice(low);
    },
  };
}
