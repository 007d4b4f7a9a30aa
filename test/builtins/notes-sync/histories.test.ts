import { expect, test } from 'vitest';
import { createMemorySets } from '../control-plane/plane-notes/memory-sets.ts';
import { playHistory, type OpenPlane } from './history.ts';

const inMemory: OpenPlane = (clock) => {
  const sets = createMemorySets({ tombstoneDays: () => 90, clock });
  return { nodes: [sets], backup: async () => Promise.resolve(sets.backup()), restore: async (backup) => Promise.resolve(sets.restore(backup)) };
};

test('three to five homes with lost replies, crashes, wrong clocks, years offline and backups end alike, lose nothing and bring nothing back', async () => {
  const faults: string[] = [];
  const total = { syncs: 0, crashes: 0, lostReplies: 0, duplicates: 0, resets: 0, deletes: 0, restores: 0 };
  const count = Number(process.env['HISTORIES'] ?? 400);
  const first = Number(process.env['SEED'] ?? 1);
  for (let seed = first; seed < first + count; seed++) {
    const { faults: found, counts } = await playHistory(seed, `org_${seed}`, inMemory);
    faults.push(...found);
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += counts[key];
  }
  process.stdout.write(`${JSON.stringify(total)}\n`);
  expect(faults).toEqual([]);
  expect(Object.values(total).every((one) => one > 0)).toBe(true);
});
