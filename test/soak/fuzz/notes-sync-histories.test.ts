// Plays random histories of homes and a control plane. `HISTORIES` sets their number in memory.
import { expect, test } from 'vitest';
import { findPostgres } from '../../helpers/postgres.ts';
import { playInMemory, playOnDatabase } from '../../unit/builtins/notes-sync/play.ts';

test('converges three to five homes after lost replies, crashes, wrong clocks, months offline and restored backups', async () => {
  const { found, total } = await playInMemory(1, Number(process.env['HISTORIES'] ?? 300));
  expect(found).toEqual([]);
  expect(Object.entries(total).filter(([, count]) => count === 0)).toEqual([]);
});

test.skipIf(findPostgres() === undefined)('converges with two nodes on one PostgreSQL database', async () => {
  const { found, total } = await playOnDatabase(1, 8);
  expect(found).toEqual([]);
  expect(total.syncs).toBeGreaterThan(100);
});
