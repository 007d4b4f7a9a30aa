// Converts a guest's allowed keys to key events of the debugging protocol.
import { modifierBits, namedKeys, shortcutKeys } from '../guest-protocol.ts';

export interface KeyEvent {
  readonly key: string;
  readonly code: string;
  readonly windowsVirtualKeyCode: number;
  readonly modifiers: number;
  /** Text that the key types; omitted for keys without text. */
  readonly text?: string;
}

const named = new Set<string>(namedKeys);
const shortcuts = new Set<string>(shortcutKeys);
const virtual: Readonly<Record<string, number>> = {
  ...{ Backspace: 8, Tab: 9, Enter: 13, Shift: 16, Control: 17, Alt: 18, Escape: 27, ' ': 32, PageUp: 33, PageDown: 34, End: 35, Home: 36 },
  ...{ ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Delete: 46 },
};
const codeGrammar = /^[A-Za-z0-9]{0,32}$/;

/** Returns the event of a key; `undefined` for a key that is not allowed. */
export function keyEvent(key: string, code: string, modifiers: number): KeyEvent | undefined {
  const { alt, ctrl, meta, shift } = modifierBits;
  const has = (bits: number): boolean => (modifiers & bits) !== 0;
  const isCharacter = [...key].length === 1 && /^[^\p{C}\p{Zl}\p{Zp}]$/u.test(key);
  if ((!isCharacter && !named.has(key)) || !codeGrammar.test(code)) return undefined;
  const isModifier = key === 'Shift' || key === 'Control' || key === 'Alt';
  if (has(alt) && !isModifier) {
    // Alt with a letter opens menus and could trigger actions that are reserved for the host. If Alt or AltGr types a character, only that character is sent.
    return isCharacter && !has(meta) && !/^[a-z0-9 ]$/i.test(key)
      ? { key, code: '', windowsVirtualKeyCode: 0, text: key, modifiers: modifiers & shift }
      : undefined;
  }
  const isChord = has(ctrl | meta);
  const name = key.toLowerCase();
  if (isChord && !isModifier && !shortcuts.has(name) && !shortcuts.has(key)) return undefined;
  // With Shift, a letter is a different browser shortcut, except for redo.
  if (isChord && has(shift) && isCharacter && name !== 'z') return undefined;
  const windowsVirtualKeyCode = virtual[key] ?? (/^[a-z0-9]$/i.test(key) ? key.toUpperCase().charCodeAt(0) : 0);
  const text = isCharacter && !isChord ? key : key === 'Enter' && !isChord ? '\r' : undefined;
  return { key, code, windowsVirtualKeyCode, modifiers, ...(text === undefined ? {} : { text }) };
}

/** Returns whether the key activates the focused element. */
export const pressesFocused = (key: string): boolean => key === 'Enter' || key === ' ';
