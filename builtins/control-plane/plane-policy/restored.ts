// Raises the revisions of policies and fleet configurations after a database restore, because services refuse revisions below those that they have seen.
import type { RestoreStep } from 'agent-harness/builtins/control-plane/plane-database';

/**
 * Writes each document again with the current time in milliseconds as its revision, which exceeds any revision that a service has seen. Writes all documents,
 * because documents that the backup lacks may have been written since.
 */
export const restoredDocuments: RestoreStep = {
  name: 'revisions',
  async apply(query) {
    await query.query(
      `with raised as (
         insert into org_document (org_id, kind, revision)
         select o.id, k.kind, (extract(epoch from clock_timestamp()) * 1000)::bigint from organisation o cross join (values ('policy'), ('fleet')) as k (kind)
         on conflict (org_id, kind) do update set revision = greatest(org_document.revision + 1, excluded.revision) returning *
       )
       insert into org_document_version (org_id, kind, revision, body, user_id, email)
       select r.org_id, r.kind, r.revision, coalesce(newest.body, '{}'), '', 'restore of a backup' from raised r
       left join lateral (
         select body from org_document_version v where v.org_id = r.org_id and v.kind = r.kind order by v.revision desc limit 1
       ) newest on true`,
    );
  },
};
