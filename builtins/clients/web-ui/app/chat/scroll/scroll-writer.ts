// The only code that scrolls the list: restores its anchor after each layout, and treats other positions as set by the reader.
import type { Store } from 'agent-harness/client';
import { end, isElsewhere, next, offsetOf, type Anchor, type Input, type View } from './anchor.ts';

/** The interface of the list for the writer. */
export interface ScrollPort {
  /** Returns the layout of the list; `undefined` while it has no size. */
  view(): View | undefined;
  offset(): number;
  scrollTo(offset: number): void;
}

/** As a store: whether the reader is away from the end, as of the last layout. */
export interface ScrollWriter extends Store<boolean> {
  /** Handles a scroll event of any cause. */
  scrolled(offset: number): void;
  /** Handles a change of the number or size of the rows or of the list. */
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

  function notify(): void {
    if (isAway === (anchor.at === 'row')) return;
    isAway = anchor.at === 'row';
    for (const listener of listeners) listener();
  }

  function write(view: View): void {
    const wanted = offsetOf(anchor, view);
    if (wanted !== undefined && isElsewhere(port.offset(), wanted)) port.scrollTo(wanted);
    written = port.offset();
    notify();
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
        notify();
      }),
    laidOut,
    // Until the expanded content is laid out, the reader does not count as away.
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
