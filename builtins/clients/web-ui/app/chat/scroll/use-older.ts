// Loads the previous page when the reader scrolls near the beginning.
import type { OpenChat } from 'agent-harness/client';
import { useMemo, useRef, useState, type RefObject } from 'react';
import type { VirtualizerHandle } from 'virtua';

export interface Older {
  readonly isReading: boolean;
  /** Call it after the reader has scrolled. */
  check(): void;
  /** Call it after rendering, because a page that is too short cannot be scrolled. */
  fill(): void;
}

/** Distance from the beginning, in pixels, that triggers loading. */
const near = 600;
/** Delay after a failure, in milliseconds, so that scrolling does not send many requests to an unreachable server. */
const pauseMs = 5_000;

export function useOlder(chat: OpenChat, list: RefObject<VirtualizerHandle | null>, hasOlder: boolean): Older {
  const [isReading, setReading] = useState(false);
  const isBusy = useRef(false);
  const calls = useMemo(() => {
    const read = (): void => {
      if (!hasOlder || isBusy.current) return;
      isBusy.current = true;
      setReading(true);
      const free = (): void => {
        isBusy.current = false;
      };
      void chat
        .loadOlder()
        .then(free, () => void setTimeout(free, pauseMs))
        .finally(() => setReading(false));
    };
    return {
      check() {
        if (list.current && list.current.viewportSize > 0 && list.current.scrollOffset <= near) read();
      },
      fill() {
        if (list.current && list.current.viewportSize > 0 && list.current.scrollSize <= list.current.viewportSize) read();
      },
    };
  }, [chat, list, hasOlder]);
  return { isReading, ...calls };
}
