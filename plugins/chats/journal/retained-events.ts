// Stores the newest server-wide events for event-stream readers that connect later.
import type { EventFrame } from '../contract.ts';

const limit = 100;

export interface RetainedEvents {
  /** Stores an event without an id while there are no readers, because assigning an id accesses the disk. */
  addUnread(make: () => EventFrame): void;
  add(frame: EventFrame): void;
  /** Returns the events after `since`, oldest first. Assigns ids to all stored events. */
  after(since: number): readonly EventFrame[];
}

export function createRetainedEvents(): RetainedEvents {
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
