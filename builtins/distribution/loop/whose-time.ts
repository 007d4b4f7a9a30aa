// Whose code computes in this process: calls within calls, each charged for what it computes itself. Another thread may look, also while this one stands still.

/** How many plugins have words of their own; what further ones compute is charged here and not seen from elsewhere. */
const mostNames = 500;
/** Words of the shared memory: a number that grows as long as the loop turns, the place of whoever computes, and tenths of milliseconds by place. */
export const beatWord = 0;
export const ownerWord = 1;
const firstName = 2;
export const wordOf = (place: number): number => firstName + place - 1;

export interface WhoseTime {
  readonly words: Int32Array<SharedArrayBuffer>;
  /** By place, from 1 on; a place that nobody has is 0. */
  readonly names: readonly string[];
  /** Code of the plugin begins. @param id tells calls apart that may end without {@link leave} */
  enter(plugin: string, id?: number): void;
  /** The innermost call ends. Answers the milliseconds that it computed itself, and those with what it called. */
  leave(): { readonly own: number; readonly whole: number };
  /** Of the innermost call. */
  readonly id: number | undefined;
  /** The loop turns: no call of anybody is under way. */
  beat(): void;
}

interface Call {
  readonly place: number;
  readonly id: number | undefined;
  readonly started: number;
  /** What other calls computed inside of it. */
  others: number;
}

export function createWhoseTime(): WhoseTime {
  const words = new Int32Array(new SharedArrayBuffer((firstName + mostNames) * Int32Array.BYTES_PER_ELEMENT));
  const places = new Map<string, number>();
  const names = [''];
  const calls: Call[] = [];

  function placeOf(plugin: string): number {
    const known = places.get(plugin);
    if (known !== undefined) return known;
    const place = names.length > mostNames ? 0 : names.push(plugin) - 1;
    places.set(plugin, place);
    return place;
  }

  return {
    words,
    names,
    enter(plugin, id) {
      const place = placeOf(plugin);
      words[ownerWord] = place;
      calls.push({ place, id, started: performance.now(), others: 0 });
    },
    leave() {
      const call = calls.pop();
      if (!call) return { own: 0, whole: 0 };
      const whole = performance.now() - call.started;
      const own = whole - call.others;
      const outer = calls.at(-1);
      if (outer) outer.others += whole;
      words[ownerWord] = outer?.place ?? 0;
      if (call.place > 0) words[wordOf(call.place)] = (words[wordOf(call.place)] ?? 0) + Math.round(own * 10);
      return { own, whole };
    },
    get id() {
      return calls.at(-1)?.id;
    },
    beat() {
      calls.length = 0;
      words[ownerWord] = 0;
      words[beatWord] = (words[beatWord] ?? 0) + 1;
    },
  };
}
