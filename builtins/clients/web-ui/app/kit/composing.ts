// Tells whether a key belongs to the text that an input method is still putting together.

/** Safari sends the key that ends a composition after the event that ended it; only its code (229) tells. */
export function isComposing({ isComposing: is, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return is || keyCode === 229;
}
