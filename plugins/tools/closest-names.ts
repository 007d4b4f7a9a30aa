// Finds the names that a misspelt one may have meant.

/** At most three, best first; none that differ in more than half of their characters. */
export function closestNames(wanted: string, names: readonly string[]): string[] {
  const plain = simplify(wanted);
  return names
    .map((name) => ({ name, distance: distanceOf(plain, simplify(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 2)))
    .sort((left, right) => left.distance - right.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** `readFile`, `read-file` and `files.read_file` differ from `read_file` in form only. */
function simplify(name: string): string {
  return (name.split(/[.:/]/).at(-1) ?? name)
    .slice(0, 64)
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase();
}

/** Levenshtein. */
function distanceOf(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const change = left[row - 1] === right[column - 1] ? 0 : 1;
      current.push(Math.min((above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (above[column - 1] ?? 0) + change));
    }
    above = current;
  }
  return above[right.length] ?? 0;
}
