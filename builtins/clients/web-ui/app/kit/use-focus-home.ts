// Moves the focus when the focused element is removed.
import { useEffectEvent, useLayoutEffect, useState, type RefCallback } from 'react';
import { hasTouchKeyboard } from './touch-keyboard.ts';

type Home = () => HTMLElement | null | undefined;

/**
 * `box` is for the element that may be removed, `goHome` for those of its buttons that disappear when pressed.
 * @param home receives the focus instead
 * @param onTouch replaces `home` on touch screens, where focusing a field opens a keyboard
 */
export function useFocusHome(home: Home, onTouch: Home = home): { readonly box: RefCallback<HTMLElement>; readonly goHome: () => void } {
  const [own, box] = useState<HTMLElement | null>(null);
  const goHome = (): void => (hasTouchKeyboard() ? onTouch() : home())?.focus({ preventScroll: true });
  const leave = useEffectEvent(goHome);
  useLayoutEffect(
    () => () => {
      if (own?.contains(document.activeElement) === true) leave();
    },
    [own],
  );
  return { box, goHome };
}
