// What was sent before, for the up key: newest last, with what was being written kept for the way back.

export interface History {
  add(text: string): void;
  /** What comes before or after the shown one; `undefined` where there is none. @param current what stands in the field */
  step(by: -1 | 1, current: string): string | undefined;
  /** The person writes again. */
  leave(): void;
}

const most = 200;

/** @param earlier of this conversation, oldest first */
export function createHistory(earlier: () => readonly string[]): History {
  const own: string[] = [];
  let shown: readonly string[] | undefined;
  let at = 0;
  let draft = '';

  return {
    add(text) {
      if (own.at(-1) !== text) own.push(text);
      if (own.length > most) own.shift();
      shown = undefined;
    },
    step(by, current) {
      if (!shown) {
        if (by > 0) return undefined;
        const before = earlier().filter((text) => !own.includes(text));
        shown = [...before, ...own].slice(-most);
        at = shown.length;
        draft = current;
      }
      const next = at + by;
      if (next < 0 || next > shown.length) return undefined;
      at = next;
      return at === shown.length ? draft : shown[at];
    },
    leave() {
      shown = undefined;
    },
  };
}
