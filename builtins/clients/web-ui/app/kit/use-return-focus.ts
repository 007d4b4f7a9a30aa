// Restores the focus when a dialog without its own trigger button closes.
import { useCallback, useState } from 'react';
import { returnToMessage } from './message-focus.ts';

/**
 * Handles `onCloseAutoFocus`. The focus returns to the element that was focused when the dialog opened; after a menu, to the button of the menu; otherwise to
 * the message field.
 */
export function useReturnFocus(): (event: Event) => void {
  const [before] = useState(findFocused);
  return useCallback(
    (event) => {
      event.preventDefault();
      if (before?.isConnected && before !== document.body) before.focus();
      else returnToMessage();
    },
    [before],
  );
}

function findFocused(): HTMLElement | undefined {
  const focused = document.activeElement;
  const opener = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const found = opener ? document.getElementById(opener) : focused;
  return found instanceof HTMLElement ? found : undefined;
}
