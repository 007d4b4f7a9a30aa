// Suggests tool names for a misspelt one.
import { nearestNames, textStart } from '#lib/text';

/** Returns at most three names, best first; none that differ in more than half of their characters. */
export function closestNames(wanted: string, names: readonly string[]): string[] {
  return nearestNames(wanted, names, { form: simplify, slips: (length) => Math.max(2, Math.floor(length / 2)) });
}

/** Returns a simplified name for comparison, which is the same for `readFile`, `read-file`, `files.read_file` and `read_file`. */
function simplify(name: string): string {
  return textStart(name.split(/[.:/]/).at(-1) ?? name, 64)
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase();
}
