// Restores the focus when a decision disappears: to the next one, then to the text field.
import { useEffect, useRef, type RefObject } from 'react';
import { hasTouchKeyboard } from '../../kit/touch-keyboard.ts';

export interface RestoredFocus {
  readonly dock: RefObject<HTMLElement | null>;
  readonly onFocus: () => void;
  readonly onBlur: () => void;
}

/** @param ids ids of the shown items; the focus is checked when they change */
export function useRestoredFocus(ids: string): RestoredFocus {
  const dock = useRef<HTMLElement>(null);
  const wasInside = useRef(false);
  useEffect(() => {
    // Restores only a focus that was lost with its element, not one that the user moved.
    if (!wasInside.current || (document.activeElement !== null && document.activeElement !== document.body)) return;
    wasInside.current = false;
    const next = dock.current?.querySelector<HTMLElement>('[data-decision]');
    if (next) next.focus();
    else if (!hasTouchKeyboard()) document.querySelector<HTMLElement>('.composer-field')?.focus();
  }, [ids]);
  return {
    dock,
    onFocus: () => (wasInside.current = true),
    // Some browsers emit no blur for a removed element, so only a move to another element counts.
    onBlur: () =>
      queueMicrotask(() => (wasInside.current = document.activeElement === document.body || dock.current?.contains(document.activeElement) === true)),
  };
}
