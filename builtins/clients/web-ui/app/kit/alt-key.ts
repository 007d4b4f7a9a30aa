// Whether a press is that of Alt with a letter and nothing else.

/** @param letter in lower case. Where Alt types another sign, the place of the key counts */
export function isAltKey(event: KeyboardEvent, letter: string): boolean {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.getModifierState('AltGraph')) return false;
  const key = event.key.toLowerCase();
  return /^[a-z]$/.test(key) ? key === letter : event.code === `Key${letter.toUpperCase()}`;
}
