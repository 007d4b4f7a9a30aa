// Defines limits and key lists that the host and the guests of a mirrored window share. Also runs in browsers.

export const guestProtocolVersion = 1;
/** Size of the header before the JPEG, in bytes. */
export const frameHeaderBytes = 32;
export const maxGuestTextBytes = 64 * 1024;
/** Maximum length of text that is typed at once, in characters. */
export const maxTypedText = 4096;
/** Interval of a guest's heartbeat in milliseconds. */
export const heartbeatMs = 2_000;

/** Modifier bits of the debugging protocol. */
export const modifierBits = { alt: 1, ctrl: 2, meta: 4, shift: 8 } as const;
/** Names of keys that a guest may press. Printable characters are keys named by that character. */
export const namedKeys = [
  ...(['Enter', 'Escape', 'Tab', 'Backspace', 'Delete', 'Home', 'End', 'PageUp', 'PageDown'] as const),
  ...(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Shift', 'Control', 'Alt'] as const),
] as const;
/**
 * Keys that are allowed with Ctrl or Meta in addition to navigation keys. Excludes shortcuts of the browser and the system, and the clipboard, which belongs to
 * the host.
 */
export const shortcutKeys = ['a', 'z', 'y', 'k', 'Enter', 'Backspace', 'Delete', 'Home', 'End', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] as const;
