// Plays random histories of homes and a control plane. `HISTORIES` sets how many in memory.
import { expect, test } from 'vitest';
import { findPostgres } from '../../helpers/postgres.ts';
import { playInMemory, playOnDatabase } from '../../unit/builtins/notes-sync/play.ts';

test('three to five homes with lost replies, crashes, wrong clocks, months offline and backups end alike, lose nothing and bring nothing back', async () => {
  const { found, total } = await playInMemory(1, Number(process.env['HISTORIES'] ?? 300));
  expect(found).toEqual([]);
  expect(Object.entries(total).filter(([, count]) => count === 0)).toEqual([]);
});

test.skipIf(findPostgres() === undefined)('and so they do with two nodes on one PostgreSQL', async () => {
  const { found, total } = await playOnDatabase(1, 8);
  expect(found).toEqual([]);
  expect(total.syncs).toBeGreaterThan(100);
});
