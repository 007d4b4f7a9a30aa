// Puts the focus into the field in which a message is written.
import { hasTouchKeyboard } from './touch-keyboard.ts';

const fieldOf = (): HTMLElement | null => document.querySelector('textarea[name="message"]');

/** Answers whether there is one. */
export function focusMessage(): boolean {
  const field = fieldOf();
  field?.focus();
  return field !== null;
}

/** Where a chat opens or a dialog closes: not on a screen that people type on, where it opens a keyboard, and not from an open menu, which would close. */
export function returnToMessage(): void {
  if (hasTouchKeyboard() || document.activeElement?.closest('[role="menu"]')) return;
  fieldOf()?.focus({ preventScroll: true });
}
