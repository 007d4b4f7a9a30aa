// Inputs of one drawing of the guest's screen, as few as they can be without meaning something else. Pure but for what waits in it.
import type { GuestInput } from '../guest-protocol.ts';

type Unnumbered<T> = T extends unknown ? Omit<T, 'n' | 'seq' | 'geometry'> : never;
/** What was done, before it has its number. */
export type Input = Unnumbered<GuestInput>;

export interface InputQueue {
  add(input: Input): void;
  /** All of it in its order; nothing is left. */
  take(): readonly Input[];
}

/** The host takes no larger step at once. */
const largestStep = 5_000;

/** Moves become the last one, and wheels one sum, but never across a press, nor where the direction changes: it would be lost. */
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
