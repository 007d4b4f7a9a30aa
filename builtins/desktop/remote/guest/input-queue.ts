// Batches the inputs of one animation frame, and merges inputs where that does not change their meaning. Pure, except for its queue.
import type { GuestInput } from '../guest-protocol.ts';

type Unnumbered<T> = T extends unknown ? Omit<T, 'n' | 'seq' | 'geometry'> : never;
export type Input = Unnumbered<GuestInput>;

export interface InputQueue {
  add(input: Input): void;
  /** Returns all inputs in order, and empties the queue. */
  take(): readonly Input[];
}

/** Maximum step of a wheel event, in pixels, that the host accepts. */
const largestStep = 5_000;

/** Creates the queue, which keeps only the last of consecutive moves and sums wheel events, except across a press or a change of direction. */
export function createInputQueue(): InputQueue {
  let waiting: Input[] = [];
  return {
    add(input) {
      const last = waiting.at(-1);
      const merged = last && merge(last, input);
      if (merged) waiting[waiting.length - 1] = merged;
      else waiting.push(input);
    },
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}

function merge(last: Input, next: Input): Input | undefined {
  if (last.type === 'move' && next.type === 'move') return last.button === next.button && last.modifiers === next.modifiers ? next : undefined;
  if (last.type !== 'wheel' || next.type !== 'wheel' || !isSameWay(last.dx, next.dx) || !isSameWay(last.dy, next.dy)) return undefined;
  const [dx, dy] = [last.dx + next.dx, last.dy + next.dy];
  return Math.max(Math.abs(dx), Math.abs(dy)) > largestStep ? undefined : { ...next, dx, dy };
}

const isSameWay = (a: number, b: number): boolean => a * b >= 0;
