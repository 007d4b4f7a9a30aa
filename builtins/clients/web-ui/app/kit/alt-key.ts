// Detects Alt with a letter and no other modifier.

/** @param letter in lower case. If Alt types another character, the physical key decides */
export function isAltKey(event: KeyboardEvent, letter: string): boolean {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.getModifierState('AltGraph')) return false;
  const key = event.key.toLowerCase();
  return /^[a-z]$/.test(key) ? key === letter : event.code === `Key${letter.toUpperCase()}`;
}
