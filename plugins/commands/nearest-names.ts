// Which of the known names somebody probably meant.

/** At most three names that begin like the wanted one or differ from it by a slip or two, best first. */
export function nearestNames(wanted: string, names: readonly string[]): string[] {
  const slips = Math.max(1, Math.floor(wanted.length / 3));
  return names
    .map((name) => ({ name, distance: wanted.length > 1 && name.startsWith(wanted) ? 0 : countSlips(wanted, name) }))
    .filter(({ distance }) => distance <= slips)
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Letters left out, added, changed, or swapped with their neighbour. */
function countSlips(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const costs = [at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (isSame ? 0 : 1)];
      if (isSwapped) costs.push(at(beforeLast, column - 2) + 1);
      current.push(Math.min(...costs));
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
