// Stores the history of sent messages for the up key, and preserves the text that the user is writing.

export interface History {
  add(text: string): void;
  /** Returns the previous or next message; `undefined` if there is none. @param current the text in the field */
  step(by: -1 | 1, current: string): string | undefined;
  /** Called when the user types again: leaves the history. */
  leave(): void;
}

const most = 200;

/** @param earlier returns the messages sent in this chat, oldest first */
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
