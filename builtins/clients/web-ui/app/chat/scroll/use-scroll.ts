// Connects the scroll writer to a virtualized list.
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { createScrollWriter, type ScrollWriter } from './scroll-writer.ts';

/** Returns the scroll writer of a list, and calls it when rows are added or removed; the list itself reports resizing. */
export function useScroll(
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<VirtualizerHandle | null>,
  rows: readonly { readonly key: string }[],
): ScrollWriter {
  const shown = useRef(rows);
  const [writer] = useState(() =>
    createScrollWriter({
      view() {
        const [element, handle] = [scroller.current, list.current];
        if (!element || !handle || element.clientHeight === 0) return undefined;
        return {
          size: element.scrollHeight,
          viewport: element.clientHeight,
          rowAt(offset) {
            const index = handle.findItemIndex(offset);
            const key = shown.current[index]?.key;
            return key === undefined ? undefined : { key, top: handle.getItemOffset(index) };
          },
          topOf(key) {
            const index = shown.current.findLastIndex((row) => row.key === key);
            return index === -1 ? undefined : handle.getItemOffset(index);
          },
        };
      },
      offset: () => scroller.current?.scrollTop ?? 0,
      scrollTo: (offset) => scroller.current?.scrollTo({ top: offset, behavior: 'instant' }),
    }),
  );
  const first = rows[0]?.key;
  useLayoutEffect(() => {
    shown.current = rows;
  }, [rows]);
  useLayoutEffect(() => writer.laidOut(), [writer, rows.length, first]);
  return writer;
}
