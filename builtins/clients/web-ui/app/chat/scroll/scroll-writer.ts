// Scrolls the message list: restores its anchor after each layout, and treats other scroll positions as set by the reader. No other code scrolls the list.
import type { Store } from 'agent-harness/client';
import { end, isElsewhere, isNearEnd, next, offsetOf, type Anchor, type Input, type View } from './anchor.ts';

/** The interface through which the writer uses the list. */
export interface ScrollPort {
  /** Returns the layout of the list; `undefined` while it has no size. */
  view(): View | undefined;
  offset(): number;
  scrollTo(offset: number): void;
}

/** As a store, provides whether the reader was away from the end at the last layout. */
export interface ScrollWriter extends Store<boolean> {
  /** Called on a scroll event, whatever its cause. */
  scrolled(offset: number): void;
  /** Called when the number or size of the rows, or the size of the list, changed. */
  laidOut(): void;
  pressed(): void;
  toEnd(): void;
  toRow(key: string): void;
}

export function createScrollWriter(port: ScrollPort): ScrollWriter {
  const listeners = new Set<() => void>();
  let anchor: Anchor = end;
  let written = 0;
  let isAway = false;

  function take(input: Input): void {
    anchor = next(anchor, input);
  }

  function notify(view: View): void {
    const isAwayNow = anchor.at === 'row' && !isNearEnd(port.offset(), view);
    if (isAway === isAwayNow) return;
    isAway = isAwayNow;
    for (const listener of listeners) listener();
  }

  function write(view: View): void {
    const wanted = offsetOf(anchor, view);
    if (wanted !== undefined && isElsewhere(port.offset(), wanted)) port.scrollTo(wanted);
    written = port.offset();
    notify(view);
  }

  function withView(work: (view: View) => void): void {
    const view = port.view();
    if (view) work(view);
  }

  function laidOut(): void {
    withView((view) => {
      take({ kind: 'layout', view });
      write(view);
    });
  }

  return {
    get: () => isAway,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    scrolled: (offset) =>
      withView((view) => {
        take({ kind: 'scroll', offset, written, view });
        written = offset;
        notify(view);
      }),
    laidOut,
    // Until the expanded content has been laid out, the reader does not count as away from the end.
    pressed: () => withView((view) => take({ kind: 'press', offset: port.offset(), view })),
    toEnd() {
      take({ kind: 'to-end' });
      withView(write);
    },
    toRow(key) {
      take({ kind: 'to-row', key, viewport: port.view()?.viewport ?? 0 });
      laidOut();
    },
  };
}
