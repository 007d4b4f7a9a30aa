// Focuses the message field.
import { hasTouchKeyboard } from './touch-keyboard.ts';

const fieldOf = (): HTMLElement | null => document.querySelector('textarea[name="message"]');

/** Focuses the message field. Returns whether it exists. */
export function focusMessage(): boolean {
  const field = fieldOf();
  field?.focus();
  return field !== null;
}

/**
 * Focuses the message field after a chat has been opened or a dialog has been closed. Does nothing on touch screens, where it would open a keyboard, or from an
 * open menu, which would close.
 */
export function returnToMessage(): void {
  if (hasTouchKeyboard() || document.activeElement?.closest('[role="menu"]')) return;
  fieldOf()?.focus({ preventScroll: true });
}
