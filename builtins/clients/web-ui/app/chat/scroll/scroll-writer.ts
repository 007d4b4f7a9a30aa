// The one place that scrolls the list: after each layout it puts it where its anchor says, and takes for the reader's what stands elsewhere.
import type { Store } from 'agent-harness/client';
import { end, isElsewhere, next, offsetOf, type Anchor, type Input, type View } from './anchor.ts';

/** The list, as the writer needs it. */
export interface ScrollPort {
  /** `undefined` while it has no size. */
  view(): View | undefined;
  offset(): number;
  scrollTo(offset: number): void;
}

/** As a store: whether the reader is away from the end, as far as that was laid out. */
export interface ScrollWriter extends Store<boolean> {
  /** It stands elsewhere, whoever moved it. */
  scrolled(offset: number): void;
  /** Rows came, went, or have another size, or the list itself has. */
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

  function tell(): void {
    if (isAway === (anchor.at === 'row')) return;
    isAway = anchor.at === 'row';
    for (const listener of listeners) listener();
  }

  function write(view: View): void {
    const wanted = offsetOf(anchor, view);
    if (wanted !== undefined && isElsewhere(port.offset(), wanted)) port.scrollTo(wanted);
    written = port.offset();
    tell();
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
        tell();
      }),
    laidOut,
    // What it unfolds is laid out next; until then nobody is away.
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
