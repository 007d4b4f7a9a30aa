// Removes old deletions, replaced versions, and records of applied changes from synchronised notes.
import type { Query } from 'agent-harness/builtins/control-plane/plane-database';

export const versionDays = 30;
const mutationDays = 90;

/** @param now current time; `null` uses the database's time @param tombstoneDays retention of deletions in days */
export async function sweepNotes(database: Query, now: Date | null, tombstoneDays: number): Promise<void> {
  const [{ at = new Date() } = {}] = await database.query<{ at: Date }>('select coalesce($1, clock_timestamp()) as at', [now]);
  const before = (days: number): Date => new Date(at.getTime() - days * 86_400_000);
  // Locks the sets first, in the same order as writers do.
  await database.query(
    `with due as (select distinct set_id from note where deleted_at is not null and received_at < $1),
       locked as materialized (select id from note_set where id in (select set_id from due) order by id for update),
       gone as (delete from note n using locked l where n.set_id = l.id and n.deleted_at is not null and n.received_at < $1
         returning n.set_id, n.revision, n.received_at)
     update note_set s set horizon = greatest(s.horizon, g.newest), horizon_at = greatest(s.horizon_at, g.latest)
     from (select set_id, max(revision) as newest, max(received_at) as latest from gone group by set_id) g where s.id = g.set_id`,
    [before(tombstoneDays)],
  );
  await database.query(
    'delete from note_revision r using note_set s where s.id = r.set_id and r.revision < s.revision and (r.at < $1 or r.revision < s.horizon)',
    [before(Math.max(mutationDays, tombstoneDays))],
  );
  await database.query('delete from note_version where replaced_at < $1', [before(versionDays)]);
  await database.query('delete from note_mutation where at < $1', [before(mutationDays)]);
}
