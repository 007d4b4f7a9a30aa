// Detects keys that belong to an active input method composition.

/**
 * Returns whether the key belongs to a composition. Safari sends the key that ends a composition after the end event; only its key code (229) identifies it.
 */
export function isComposing({ isComposing: is, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return is || keyCode === 229;
}
