// Whether people type on the screen: there Enter breaks the line, and focus opens a keyboard that hides half of the page.
export function hasTouchKeyboard(): boolean {
  return matchMedia('(pointer: coarse) and (hover: none)').matches;
}
