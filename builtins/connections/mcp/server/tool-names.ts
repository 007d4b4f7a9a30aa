// Builds the tool names for the model in the form `<server>_<tool>`: plain, short and unique.
import { sha256 } from '#lib/hash';

const longest = 64;
const hashLength = 8;

/**
 * Returns tool names in the order of `names`. A long or taken name (`isTaken`) ends with a hash of its source, so
 * that it is stable across starts.
 */
export function nameTools(server: string, names: readonly string[], isTaken: (name: string) => boolean): Map<string, string> {
  const given = new Map<string, string>();
  const used = new Set<string>();
  for (const original of names) {
    const plain = `${server}_${original}`.replace(/[^a-zA-Z0-9_]+/g, '_');
    const isFree = plain.length <= longest && !used.has(plain) && !isTaken(plain);
    const name = isFree ? plain : `${plain.slice(0, longest - hashLength - 1)}_${hashOf(`${server}\n${original}`)}`;
    if (used.has(name) || (!isFree && isTaken(name))) continue;
    used.add(name);
    given.set(original, name);
  }
  return given;
}

export function hashOf(text: string): string {
  return sha256(text).slice(0, hashLength);
}
