// Orders slash commands for menus: frequently used commands first, the others by name.

const frequent: readonly string[] = ['undo', 'model', 'compact', 'new', 'chats', 'help'];

export function compareCommands(left: { readonly name: string }, right: { readonly name: string }): number {
  return rankOf(left.name) - rankOf(right.name) || (left.name < right.name ? -1 : 1);
}

function rankOf(name: string): number {
  const rank = frequent.indexOf(name);
  return rank < 0 ? frequent.length : rank;
}
