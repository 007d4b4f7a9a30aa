// Ranks the workspace paths that match a typed text, for completion.

/** Returns the rank of a path, where lower is better; `undefined` for no match. @param wanted typed text in lower case */
function rankOf(path: string, wanted: string): number | undefined {
  const way = path.replace(/\/$/, '').toLowerCase();
  if (wanted === '') return way.split('/').length;
  const name = way.slice(way.lastIndexOf('/') + 1);
  if (name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  if (way.includes(wanted)) return 2;
  if (hasInOrder(name, wanted)) return 3;
  return hasInOrder(way, wanted) ? 4 : undefined;
}

/** Returns whether all letters occur in order, possibly with others in between. */
function hasInOrder(text: string, wanted: string): boolean {
  let from = 0;
  for (const letter of wanted) {
    const at = text.indexOf(letter, from);
    if (at === -1) return false;
    from = at + letter.length;
  }
  return true;
}

export interface PathRanking {
  add(path: string): void;
  best(most: number): string[];
}

export function rankPaths(query: string): PathRanking {
  const wanted = query.toLowerCase();
  const found: { readonly path: string; readonly rank: number }[] = [];
  return {
    add(path) {
      const rank = rankOf(path, wanted);
      if (rank !== undefined) found.push({ path, rank });
    },
    best: (most) =>
      found
        .sort((left, right) => left.rank - right.rank || left.path.length - right.path.length || (left.path < right.path ? -1 : 1))
        .slice(0, most)
        .map(({ path }) => path),
  };
}
