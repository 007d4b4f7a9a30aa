// Defines the chat tags that change how features treat a chat.

/** Returns whether background features must not learn from, process or store any content of the chat. */
export function isIncognito({ tags }: { readonly tags: readonly string[] }): boolean {
  return tags.includes('incognito');
}
