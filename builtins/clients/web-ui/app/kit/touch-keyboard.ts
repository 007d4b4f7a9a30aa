// Detects devices with an on-screen keyboard. On these, Enter inserts a line break, and focusing a field opens a keyboard that covers half of the page.
export function hasTouchKeyboard(): boolean {
  return matchMedia('(pointer: coarse) and (hover: none)').matches;
}
