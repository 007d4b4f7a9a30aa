// Stores all versions of organisations' policies and fleet configurations in the database.
import type { Database, Query } from 'agent-harness/builtins/control-plane/plane-database';
import { BoundedMap } from '#lib/values';

export type DocumentKind = 'policy' | 'fleet';

export interface DocumentVersion<T = unknown> {
  /** 0 for a document that was never written. */
  readonly revision: number;
  /** Remains the same object while the version is the newest, so that callers can cache derived data by object. */
  readonly body: T;
  /** Random fingerprint of this version: after a restore, the same revision may have different content. */
  readonly mark: string;
}

export interface RecordedVersion extends Omit<DocumentVersion, 'mark'> {
  readonly by: { readonly userId: string; readonly email: string };
  readonly at: Date;
}

export interface Documents {
  current(orgId: string, kind: DocumentKind): Promise<DocumentVersion>;
  /** Resolves with `undefined` if the revision does not exist. */
  version(orgId: string, kind: DocumentKind, revision: number): Promise<RecordedVersion | undefined>;
  /** Returns revisions before `before`, newest first. */
  history(orgId: string, kind: DocumentKind, before: number, limit: number): Promise<readonly RecordedVersion[]>;
  /**
   * Writes the next version. If `base` is no longer the newest version, writes nothing and resolves with the newest revision.
   * @param after runs at the end of the same transaction
   */
  write(
    orgId: string,
    kind: DocumentKind,
    change: { readonly base: number; readonly body: unknown; readonly userId: string; readonly email: string },
    after: (revision: number, transaction: Query) => Promise<void>,
  ): Promise<{ readonly revision: number } | { readonly conflict: number }>;
}

/** `org_document` locks a document and stores its newest revision. */
export const tables = `
  create table org_document (org_id text not null, kind text not null, revision bigint not null default 0, primary key (org_id, kind));
  create table org_document_version (
    org_id text not null, kind text not null, revision bigint not null, body jsonb not null,
    user_id text not null, email text not null, at timestamptz not null default now(),
    primary key (org_id, kind, revision)
  )`;

interface Row {
  readonly revision: number;
  readonly body: unknown;
  readonly user_id: string;
  readonly email: string;
  readonly at: Date;
}

const columns = 'revision, body, user_id, email, at';
const toVersion = ({ revision, body, user_id: userId, email, at }: Row): RecordedVersion => ({ revision, body, by: { userId, email }, at });

/** Maximum number of cached newest versions, counted per organisation and kind. */
const maxCached = 500;
const none: DocumentVersion = Object.freeze({ revision: 0, body: Object.freeze({}), mark: '' });

export function createDocuments(database: Database): Documents {
  const newest = new BoundedMap<string, DocumentVersion>(maxCached);

  return {
    async current(orgId, kind) {
      const key = `${kind} ${orgId}`;
      const known = newest.get(key);
      // Callers share one read, because a document may be long and all members request it at the same time.
      const [row] = await database.query<{ revision: number; mark: string; body: unknown }>(
        `select revision, at::text as mark, case when revision = $3 and at::text = $4 then null else body end as body
         from org_document_version where org_id = $1 and kind = $2 order by revision desc limit 1`,
        [orgId, kind, known?.revision ?? null, known?.mark ?? null],
      );
      if (!row) return none;
      if (known && row.body === null) return known;
      const version: DocumentVersion = { revision: row.revision, body: row.body, mark: row.mark };
      newest.set(key, version);
      return version;
    },
    async version(orgId, kind, revision) {
      const [row] = await database.query<Row>(`select ${columns} from org_document_version where org_id = $1 and kind = $2 and revision = $3`, [
        orgId,
        kind,
        revision,
      ]);
      return row && toVersion(row);
    },
    async history(orgId, kind, before, limit) {
      const rows = await database.query<Row>(
        `select ${columns} from org_document_version where org_id = $1 and kind = $2 and revision < $3 order by revision desc limit $4`,
        [orgId, kind, before, limit],
      );
      return rows.map(toVersion);
    },
    write: (orgId, kind, { base, body, userId, email }, after) =>
      database.transaction(async (transaction) => {
        const [head] = await transaction.query<{ revision: number }>(
          'insert into org_document (org_id, kind) values ($1, $2) on conflict (org_id, kind) do update set kind = excluded.kind returning revision',
          [orgId, kind],
        );
        const newest = head!.revision;
        if (base !== newest) return { conflict: newest };
        const revision = newest + 1;
        await transaction.query('insert into org_document_version (org_id, kind, revision, body, user_id, email) values ($1, $2, $3, $4, $5, $6)', [
          ...[orgId, kind, revision, JSON.stringify(body), userId, email],
        ]);
        await transaction.query('update org_document set revision = $3 where org_id = $1 and kind = $2', [orgId, kind, revision]);
        await after(revision, transaction);
        return { revision };
      }),
  };
}
