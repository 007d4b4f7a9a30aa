// Chat tags with a meaning in the product.

/** Returns whether background features must not learn from, process or store anything of the chat. */
export function isIncognito({ tags }: { readonly tags: readonly string[] }): boolean {
  return tags.includes('incognito');
}
