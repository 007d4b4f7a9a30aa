// Tests the audit log store: deduplication, order, and tamper detection.
import { beforeAll, expect, test } from 'vitest';
import type { Audit, ReportedEvent } from 'agent-harness/builtins/control-plane/plane-audit-log';
import { startPlane } from '../../../helpers/plane.ts';
import { useAll } from '../../../helpers/use-opened.ts';

let audit: Audit;
const plane = useAll(() => startPlane());
const second = useAll(() => startPlane({ databaseUrl: plane.databaseUrl }));
beforeAll(() => {
  audit = plane.kernel.resolve('audit');
});

const at = '2026-11-22T10:00:00.000Z';
const events = (...ids: string[]): ReportedEvent[] => ids.map((id) => ({ id, kind: 'turn_end', at, metrics: { rounds: 2, reason: 'done' } }));
const query = (sql: string, parameters: unknown[] = []): Promise<unknown[]> => plane.kernel.resolve('database').query(sql, parameters);

test('skips events already stored for the same person, also within one report', async () => {
  expect(await audit.report('org_1', 'user_1', events('a', 'b', 'a'))).toEqual({ stored: 2, duplicates: 1 });
  expect(await second.kernel.resolve('audit').report('org_1', 'user_1', events('b', 'c'))).toEqual({ stored: 1, duplicates: 1 });
  expect(await audit.report('org_1', 'user_2', events('a'))).toEqual({ stored: 1, duplicates: 0 });
  const found = await audit.read('org_1', { limit: 10 });
  expect(found.map(({ seq, id, userId }) => [seq, id, userId])).toEqual([
    [1, 'a', 'user_1'],
    [2, 'b', 'user_1'],
    [3, 'c', 'user_1'],
    [4, 'a', 'user_2'],
  ]);
  expect(found[0]).toMatchObject({ source: 'service', kind: 'turn_end', at, metrics: { rounds: 2, reason: 'done' } });
  expect(await audit.read('org_2', { limit: 10 })).toEqual([]);
});

test('rolls events back with their transaction, and forms one chain from two concurrent nodes', async () => {
  const database = plane.kernel.resolve('database');
  const failing = database.transaction(async (transaction) => {
    await audit.record('org_3', { kind: 'role_changed' }, transaction);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await audit.read('org_3', { limit: 10 })).toEqual([]);
  const nodes = [audit, second.kernel.resolve('audit')];
  await Promise.all(Array.from({ length: 20 }, (_, n) => nodes[n % 2]!.record('org_3', { kind: 'signed_in', userId: `user_${n}` })));
  const found = await audit.read('org_3', { limit: 100, kind: 'signed_in' });
  expect(found.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  expect(await audit.verify('org_3')).toEqual({ ok: true, events: 20, head: found.at(-1)?.hash });
});

test.each([
  ['a changed line', `update audit_event set user_id = 'somebody' where org_id = $1 and seq = 3`, 3],
  ['a removed line', 'delete from audit_event where org_id = $1 and seq = 3', 3],
  ['a removed last line', 'delete from audit_event where org_id = $1 and seq = 5', 5],
  ['a removed first line', 'delete from audit_event where org_id = $1 and seq = 1', 1],
])('detects %s', async (name, sql, brokenAt) => {
  await audit.report(name, 'user_1', events('a', 'b', 'c', 'd', 'e'));
  await query('alter table audit_event disable trigger audit_event_stays');
  await query(sql, [name]);
  await query('alter table audit_event enable trigger audit_event_stays');
  expect(await audit.verify(name)).toMatchObject({ ok: false, brokenAt });
});

test('rejects an update of a stored line', async () => {
  await audit.report('org_4', 'user_1', events('a'));
  await expect(query(`update audit_event set kind = 'x' where org_id = 'org_4'`)).rejects.toThrow('never changed');
});

test('deletes lines older than the retention and verifies the remaining chain', async () => {
  await audit.report('org_5', 'user_1', events('a', 'b', 'c'));
  expect([await audit.retention('org_5'), await audit.sweep()]).toEqual([null, 0]);
  await query('alter table audit_event disable trigger audit_event_stays');
  await audit.keepFor('org_5', 0);
  // The plane's own job may delete them first.
  await audit.sweep();
  expect(await audit.read('org_5', { limit: 10 })).toEqual([]);
  await query('alter table audit_event enable trigger audit_event_stays');
  await audit.keepFor('org_5', 30);
  await audit.report('org_5', 'user_1', events('d'));
  expect((await audit.read('org_5', { limit: 10 })).map(({ seq, id }) => [seq, id])).toEqual([[4, 'd']]);
  expect(await audit.verify('org_5')).toMatchObject({ ok: true, events: 1 });
});
