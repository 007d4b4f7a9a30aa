// Where the focus goes when what has it is taken away from under it.
import { useEffectEvent, useLayoutEffect, useState, type RefCallback } from 'react';
import { hasTouchKeyboard } from './touch-keyboard.ts';

type Home = () => HTMLElement | null | undefined;

/**
 * `box` is for the element that may go, `goHome` for those of its buttons that go when they are pressed.
 * @param home what gets the focus instead
 * @param onTouch instead of `home` on a screen that people type on, where the focus of a field opens a keyboard
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
