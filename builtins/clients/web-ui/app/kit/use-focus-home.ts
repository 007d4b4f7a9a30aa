// Moves the focus when the focused element is removed.
import { useEffectEvent, useLayoutEffect, useState, type RefCallback } from 'react';
import { hasTouchKeyboard } from './touch-keyboard.ts';

type Home = () => HTMLElement | null | undefined;

/**
 * Use `box` for the element that may be removed, and `goHome` for its buttons that disappear when pressed.
 * @param home element that receives the focus
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
