// The newest events that belong to no chat: a reader that comes later still gets them.
import type { EventFrame } from '../contract.ts';

const limit = 100;

export interface KeptEvents {
  /** Keeps an event that has no id yet: nobody reads, and giving ids touches the disk. */
  addUnread(make: () => EventFrame): void;
  add(frame: EventFrame): void;
  /** Those later than `since`, oldest first. All have ids from now on. */
  after(since: number): readonly EventFrame[];
}

export function createKeptEvents(): KeptEvents {
  let kept: (EventFrame | (() => EventFrame))[] = [];
  let hasUnread = false;

  function add(one: EventFrame | (() => EventFrame)): void {
    kept.push(one);
    if (kept.length > limit) kept.shift();
  }

  return {
    add,
    addUnread(make) {
      hasUnread = true;
      add(make);
    },
    after(since) {
      if (hasUnread) kept = kept.map((one) => (typeof one === 'function' ? one() : one));
      hasUnread = false;
      return (kept as readonly EventFrame[]).filter((frame) => frame.id > since);
    },
  };
}
