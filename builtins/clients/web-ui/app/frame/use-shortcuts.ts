// Handles the page-wide shortcuts, and sends unhandled letters to the message field.
import { useEffect, useRef } from 'react';
import { isComposing } from '../kit/composing.ts';
import { focusMessage } from '../kit/message-focus.ts';
import { isText, shortcutOf, type ShortcutName } from './shortcuts.ts';

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Elements that handle letters: input fields, and lists with type-ahead. */
const takesText = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="tree"], [role="grid"], [role="application"], iframe';

export function useShortcuts(act: (name: ShortcutName) => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (isComposing(event) || event.defaultPrevented) return;
      // Dialogs handle all keys themselves; the palette shortcut works everywhere else.
      if (document.querySelector('[role="dialog"][data-state="open"], [role="alertdialog"][data-state="open"]')) return;
      // The browser then enters the letter into the field.
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
