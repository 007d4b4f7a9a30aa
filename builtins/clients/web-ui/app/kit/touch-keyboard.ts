// Detects on-screen keyboards: there Enter breaks the line, and focus opens a keyboard that covers half of the page.
export function hasTouchKeyboard(): boolean {
  return matchMedia('(pointer: coarse) and (hover: none)').matches;
}
