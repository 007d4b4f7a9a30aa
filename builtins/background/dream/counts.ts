// Counts the changes and refusals of a dream run. Pure.
import type { DreamCounts, DreamRun } from './contract.ts';

export function countsOf({ changes, refused }: DreamRun): DreamCounts {
  const count = (...kinds: readonly string[]): number => changes.filter(({ kind, outcome }) => kinds.includes(kind) && outcome !== 'changed').length;
  return { kept: count('kept', 'changed'), waiting: count('waits'), deleted: count('deleted'), refused: refused.length };
}
