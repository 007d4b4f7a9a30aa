// Detects whether a scrollable box has content below its visible part.
import { useLayoutEffect, useState, type RefObject } from 'react';

export interface ScrollRest {
  readonly isScrollable: boolean;
  readonly hasMore: boolean;
}

/** Tolerance for rounding, in pixels. */
const slack = 2;

export function useScrollRest(box: RefObject<HTMLElement | null>): ScrollRest {
  const [rest, setRest] = useState<ScrollRest>({ isScrollable: false, hasMore: false });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = (): void => {
      const isScrollable = element.scrollHeight > element.clientHeight + slack;
      const hasMore = isScrollable && element.scrollTop + element.clientHeight < element.scrollHeight - slack;
      setRest((known) => (known.isScrollable === isScrollable && known.hasMore === hasMore ? known : { isScrollable, hasMore }));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [box]);
  return rest;
}
