// Defines limits and key lists that host and guests of a mirrored window share. Runs in browsers too.

export const guestProtocolVersion = 1;
/** Size of the header before the JPEG, in bytes. */
export const frameHeaderBytes = 32;
/** Maximum size of a guest's text in bytes. */
export const maxGuestTextBytes = 64 * 1024;
/** Maximum length of text typed at once, in characters. */
export const maxTypedText = 4096;
/** Interval of a guest's heartbeat in milliseconds. */
export const heartbeatMs = 2_000;

/** Modifier bits of the debugging protocol. */
export const modifierBits = { alt: 1, ctrl: 2, meta: 4, shift: 8 } as const;
/** Named keys that a guest may press. Printable characters are keys of one character. */
export const namedKeys = [
  ...(['Enter', 'Escape', 'Tab', 'Backspace', 'Delete', 'Home', 'End', 'PageUp', 'PageDown'] as const),
  ...(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Shift', 'Control', 'Alt'] as const),
] as const;
/**
 * The only other keys that are allowed with Ctrl or Meta besides navigation keys: no shortcut of the browser or the system, and no clipboard, which belongs
 * to the host.
 */
export const shortcutKeys = ['a', 'z', 'y', 'k', 'Enter', 'Backspace', 'Delete', 'Home', 'End', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] as const;
