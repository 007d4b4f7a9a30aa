// Tags of chats that mean something to the product.

/** Nothing that works by itself learns from such a chat, thinks about it or writes down what is said there. */
export function isIncognito({ tags }: { readonly tags: readonly string[] }): boolean {
  return tags.includes('incognito');
}
