// Keeps the keyboard's place when a decision is gone: the next one gets the focus, then the text field.
import { useEffect, useRef, type RefObject } from 'react';
import { hasTouchKeyboard } from '../../kit/touch-keyboard.ts';

export interface KeptFocus {
  readonly dock: RefObject<HTMLElement | null>;
  readonly onFocus: () => void;
  readonly onBlur: () => void;
}

/** @param ids of what is shown; the focus is looked after when they change */
export function useKeptFocus(ids: string): KeptFocus {
  const dock = useRef<HTMLElement>(null);
  const wasInside = useRef(false);
  useEffect(() => {
    // Focus that somebody moved elsewhere stays there; only focus that fell off the page is taken up.
    if (!wasInside.current || (document.activeElement !== null && document.activeElement !== document.body)) return;
    wasInside.current = false;
    const next = dock.current?.querySelector<HTMLElement>('[data-decision]');
    if (next) next.focus();
    else if (!hasTouchKeyboard()) document.querySelector<HTMLElement>('.composer-field')?.focus();
  }, [ids]);
  return {
    dock,
    onFocus: () => (wasInside.current = true),
    // An element that is removed tells nobody in some browsers, and blurs in others: only a move to something else counts.
    onBlur: () =>
      queueMicrotask(() => (wasInside.current = document.activeElement === document.body || dock.current?.contains(document.activeElement) === true)),
  };
}
