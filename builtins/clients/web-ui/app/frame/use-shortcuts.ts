// Listens for the shortcuts of the whole page, and sends letters that nothing else takes to the message field.
import { useEffect, useRef } from 'react';
import { isComposing } from '../kit/composing.ts';
import { focusMessage } from '../kit/message-focus.ts';
import { isText, shortcutOf, type ShortcutName } from './shortcuts.ts';

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Take letters themselves: fields, and lists that jump to what is typed. */
const takesText = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="tree"], [role="grid"], [role="application"], iframe';

export function useShortcuts(act: (name: ShortcutName) => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (isComposing(event) || event.defaultPrevented) return;
      // A dialog has the keys to itself; the palette's own may open it anywhere else.
      if (document.querySelector('[role="dialog"][data-state="open"], [role="alertdialog"][data-state="open"]')) return;
      // The letter itself then goes into the field.
      if (isText(event) && !(event.target instanceof Element && event.target.closest(takesText))) return void focusMessage();
      const name = shortcutOf(event, isMac);
      if (name === undefined) return;
      event.preventDefault();
      latest.current(name);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
