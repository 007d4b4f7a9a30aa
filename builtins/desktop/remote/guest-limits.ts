// The limits and lists that host and guests of a mirrored window share. Runs in browsers, too.

export const guestProtocolVersion = 1;
/** Bytes before the JPEG. */
export const frameHeaderBytes = 32;
/** Of one text of a guest. Bytes. */
export const maxGuestTextBytes = 64 * 1024;
/** Of what a guest types at once. Characters. */
export const maxTypedText = 4096;
/** A guest that is watched says something so often. Milliseconds. */
export const heartbeatMs = 2_000;

/** As the debugging protocol counts them. */
export const modifierBits = { alt: 1, ctrl: 2, meta: 4, shift: 8 } as const;
/** Keys with names that a guest may press. Letters, digits and signs are keys of one character. */
export const namedKeys = [
  ...(['Enter', 'Escape', 'Tab', 'Backspace', 'Delete', 'Home', 'End', 'PageUp', 'PageDown'] as const),
  ...(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Shift', 'Control', 'Alt'] as const),
] as const;
/** The only ones beside arrows and their like that may be pressed with Ctrl or Meta: no shortcut of the browser or the system, and not the clipboard, which is the host's. */
export const shortcutKeys = ['a', 'z', 'y', 'k', 'Enter', 'Backspace', 'Delete', 'Home', 'End', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] as const;
