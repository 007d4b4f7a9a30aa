// How near a text is to another, whatever its layout: precision and recall over words, each as often as it stands there.

/** F1, from 0 to 1. Addresses that stand behind links or for frames do not count. */
export function f1(text: string, wanted: string): number {
  const [found, expected] = [countWords(text), countWords(wanted)];
  const all = total(found) + total(expected);
  let common = 0;
  for (const [word, count] of found) common += Math.min(count, expected.get(word) ?? 0);
  return all === 0 ? 1 : (2 * common) / all;
}

function countWords(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const plain = text.replace(/ \((?:https?|mailto|ftp):[^\s)]*\)|\(frame: [^\s)]*\)/g, '');
  for (const word of plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0);
