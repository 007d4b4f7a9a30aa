// Stores synchronised sets of notes in the database: reads changed rows and applies changes in sequence.
import { randomBytes } from 'node:crypto';
import { sha256 } from '#lib/hash';
import { stableJson } from '#lib/values';
import type { Database, Query } from 'agent-harness/builtins/control-plane/plane-database';
import type { NoteChange, NoteReading, NoteVersion, NoteWriter } from './contract.ts';
import { decideEntry, isStoredDifferently, type StoredRow } from './decide.ts';
import { sweepNotes, versionDays } from './sweep.ts';
import { afterNow, readRow, rowColumns, toPage, type DatabaseRow, type PageRow } from './rows.ts';

/** Identifies a set of notes. */
export interface SetName {
  readonly orgId: string;
  /** Owner of the set; left out for a set of the organisation. */
  readonly userId?: string;
  /** Fingerprint of the workspace, or `global`. */
  readonly workspace: string;
}

export interface Reader {
  /** Last revision of the reader; left out for none. */
  readonly since?: number;
  readonly mark?: string;
  /** Whether the reader is reading the whole set. */
  readonly isWhole?: boolean;
}

export type WriteAnswer =
  | { readonly what: 'done'; readonly revision: number; readonly mark?: string; readonly rows: readonly StoredRow[] }
  | { readonly what: 'conflict'; readonly revision: number; readonly changed: readonly StoredRow[] }
  | { readonly what: 'reset'; readonly revision: number }
  | { readonly what: 'out_of_order' }
  | { readonly what: 'full'; readonly limit: number };

export interface NoteSets {
  /** Reads the changes in a single statement. */
  read(set: SetName, reader: Reader): Promise<NoteReading>;
  /** Applies a change completely or not at all, in sequence per set, and once per mutation. */
  write(set: SetName, by: NoteWriter, change: NoteChange): Promise<WriteAnswer>;
  /** Returns the versions, newest first. */
  history(set: SetName, key: string): Promise<NoteVersion[]>;
  /** Lists the existing sets with the number of notes in each. */
  list(owner: Omit<SetName, 'workspace'>): Promise<readonly { readonly workspace: string; readonly revision: number; readonly notes: number }[]>;
  /** Removes notes of a user (all sets if no workspace is given) or of an organisation; resolves with the number of removed notes. */
  empty(set: Omit<SetName, 'workspace'> & { readonly workspace?: string }): Promise<number>;
  /** Removes old deletions, versions and mutations. */
  sweep(): Promise<void>;
}

export interface NoteSetsParts {
  readonly database: Pick<Database, 'query' | 'transaction'>;
  /** Retention of deletions in days; read on every use. */
  tombstoneDays(): number;
  /** Clock for tests that simulate years; default: the database's time. */
  readonly clock?: () => Date;
}

/** Maximum number of rows per set, including deletions. */
export const maxRows = 200_000;
/** Maximum number of sets per user or organisation. */
export const maxSets = 1_000;
const shownVersions = 200;

interface SetRow {
  readonly id: number;
  readonly revision: number;
  readonly horizon: number;
  readonly emptied: number;
  readonly mark: string;
  readonly now: Date;
}

export function createNoteSets({ database, tombstoneDays, clock }: NoteSetsParts): NoteSets {
  const now = (): Date | null => clock?.() ?? null;

  async function write(set: SetName, by: NoteWriter, change: NoteChange): Promise<WriteAnswer> {
    const account = [set.orgId, by.userId, change.clientId];
    const content = sha256(stableJson([set.userId ?? '', set.workspace, change.base, change.upserts, change.tombstones]));
    const entries = [...change.upserts, ...change.tombstones];
    const keys = entries.map(({ key }) => key);
    let answer: WriteAnswer = { what: 'out_of_order' };
    const work = async (query: Query): Promise<void> => {
      // Changes of one copy are applied in sequence, over all of its sets.
      const [client] = await query.query<{ newest: number }>(
        `insert into note_client (org_id, user_id, client_id) values ($1, $2, $3)
         on conflict (org_id, user_id, client_id) do update set newest = note_client.newest returning newest`,
        account,
      );
      const isSeen = change.mutationId <= (client?.newest ?? 0);
      const [replayed] = isSeen
        ? await query.query<{ content: string; revision: number }>(
            'select content, revision from note_mutation where org_id = $1 and user_id = $2 and client_id = $3 and mutation_id = $4',
            [...account, change.mutationId],
          )
        : [];
      if (isSeen && replayed?.content !== content) throw new Refusal({ what: 'out_of_order' });
      const locked = await lockSet(query, set, now());
      if (!locked) throw new Refusal({ what: 'full', limit: maxSets });
      const rows = new Map(
        (await query.query<DatabaseRow>(`select ${rowColumns} from note where set_id = $1 and key = any($2)`, [locked.id, keys])).map((row) => [
          row.key,
          readRow(row),
        ]),
      );
      const at = locked.now.getTime();
      if (replayed) {
        const rowsNow = entries.flatMap((sent) => {
          const known = rows.get(sent.key);
          return known && isStoredDifferently(sent, known) ? [known] : [];
        });
        answer = { what: 'done', revision: replayed.revision, rows: rowsNow };
        return;
      }
      if (!(await isOfHistory(query, locked, change))) throw new Refusal({ what: 'reset', revision: locked.revision });
      const changed = keys.flatMap((key) => rows.get(key) ?? []).filter(({ revision }) => revision > change.base);
      if (changed.length > 0) throw new Refusal({ what: 'conflict', revision: locked.revision, changed });
      const { mark, ...done } = await decideAll(query, locked, { entries, rows, by, at });
      // An up-to-date copy receives the mark, because the new revision contains only its own change.
      answer = { what: 'done', ...done, ...(change.base === locked.revision ? { mark } : {}) };
      await query.query(`insert into note_mutation (org_id, user_id, client_id, mutation_id, content, revision, at) values ($1, $2, $3, $4, $5, $6, $7)`, [
        ...account,
        change.mutationId,
        content,
        done.revision,
        locked.now,
      ]);
      await query.query('update note_client set newest = $4 where org_id = $1 and user_id = $2 and client_id = $3', [...account, change.mutationId]);
    };
    try {
      await database.transaction(work);
    } catch (fault) {
      if (fault instanceof Refusal) return fault.answer;
      throw fault;
    }
    return answer;
  }

  return {
    write,
    async read({ orgId, userId = '', workspace }, { since, mark, isWhole = false }) {
      const rows = await database.query<PageRow>(
        `select s.revision as set_revision, s.horizon, s.horizon_at, t.at, s.emptied, s.mark, w.reset, ${rowColumns.replaceAll(/\b(\w+)\b/g, 'n.$1')}
         from (select coalesce($8, clock_timestamp()) as at) t
         left join note_set s on s.org_id = $1 and s.user_id = $2 and s.workspace = $3
         left join lateral (select not $6 and $4::bigint is not null and ($4 > s.revision or $4 < s.horizon or $4 < s.emptied or ($4 > 0 and $5 <> ''
           and not exists (select 1 from note_revision r where r.set_id = s.id and r.revision = $4 and r.mark = $5))) as reset) w on true
         left join lateral (select * from note n where n.set_id = s.id and n.revision > case when w.reset or $4 is null then 0 else $4 end
           order by n.revision, n.key limit $7) n on true
         order by n.revision, n.key`,
        [orgId, userId, workspace, since ?? null, mark ?? '', isWhole, afterNow, now()],
      );
      return toPage(rows, since, userId === '');
    },
    async history({ orgId, userId = '', workspace }, key) {
      const rows = await database.query<{ value: string; updatedAt: Date; replacedAt: Date; reason: NoteVersion['reason']; userId: string; email: string }>(
        `select v.value, v.updated_at as "updatedAt", v.replaced_at as "replacedAt", v.reason, v.by_id as "userId", v.by_email as email
         from note_set s join note_version v on v.set_id = s.id and v.key = $4
         where s.org_id = $1 and s.user_id = $2 and s.workspace = $3 and v.replaced_at > coalesce($5, clock_timestamp()) - make_interval(days => $6)
         order by v.id desc limit ${shownVersions}`,
        [orgId, userId, workspace, key, now(), versionDays],
      );
      return rows.map(({ value, updatedAt, replacedAt, reason, userId: writer, email }) => ({
        ...{ value, updatedAt: updatedAt.toISOString(), replacedAt: replacedAt.toISOString(), reason },
        by: { userId: writer, email },
      }));
    },
    list: ({ orgId, userId = '' }) =>
      database.query(
        `select workspace, revision, (select count(*) from note where set_id = note_set.id and deleted_at is null) as notes
         from note_set where org_id = $1 and user_id = $2 order by workspace`,
        [orgId, userId],
      ),
    empty: ({ orgId, userId = '', workspace }) =>
      database.transaction(async (query) => {
        const sets = await query.query<SetRow>(
          `select id, revision, coalesce($4, clock_timestamp()) as now from note_set
           where org_id = $1 and user_id = $2 and ($3::text is null or workspace = $3) order by id for update`,
          [orgId, userId, workspace ?? null, now()],
        );
        let count = 0;
        for (const { id, revision, now: at } of sets) {
          count += (await query.query('delete from note where set_id = $1 returning 1', [id])).length;
          await query.query('delete from note_version where set_id = $1', [id]);
          await query.query('delete from note_revision where set_id = $1', [id]);
          await raise(query, id, revision + 1, at);
          await query.query('update note_set set emptied = revision, horizon = revision where id = $1', [id]);
        }
        return count;
      }),
    sweep: () => sweepNotes(database, now(), tombstoneDays()),
  };
}

async function lockSet(query: Query, { orgId, userId = '', workspace }: SetName, now: Date | null): Promise<SetRow | undefined> {
  const name = [orgId, userId, workspace];
  const lock = async (): Promise<SetRow | undefined> =>
    (
      await query.query<SetRow>(
        `select id, revision, horizon, emptied, mark, coalesce($4, clock_timestamp()) as now from note_set
         where org_id = $1 and user_id = $2 and workspace = $3 for update`,
        [...name, now],
      )
    )[0];
  const known = await lock();
  if (known) return known;
  await query.query(
    `insert into note_set (org_id, user_id, workspace) select $1::text, $2::text, $3::text
     where (select count(*) from note_set where org_id = $1 and user_id = $2) < $4 on conflict do nothing`,
    [...name, maxSets],
  );
  return lock();
}

async function isOfHistory(query: Query, { id, revision, horizon, emptied }: SetRow, { base, mark }: NoteChange): Promise<boolean> {
  if (base > revision || base < horizon || base < emptied) return false;
  if (base === 0 || mark === undefined) return true;
  const found = await query.query('select 1 from note_revision where set_id = $1 and revision = $2 and mark = $3', [id, base, mark]);
  return found.length > 0;
}

async function decideAll(
  query: Query,
  set: SetRow,
  {
    entries,
    rows,
    by,
    at,
  }: {
    readonly entries: readonly (NoteChange['upserts'][number] | NoteChange['tombstones'][number])[];
    readonly rows: ReadonlyMap<string, StoredRow>;
    readonly by: NoteWriter;
    readonly at: number;
  },
): Promise<{ readonly revision: number; readonly mark: string; readonly rows: readonly StoredRow[] }> {
  const revision = set.revision + 1;
  const decided = entries.map((sent) => ({ key: sent.key, ...decideEntry(sent, rows.get(sent.key), by, at, revision) }));
  const next = decided.flatMap((one) => one.next ?? []);
  const versions = decided.flatMap(({ version }) => version ?? []);
  const different = decided.filter(({ isDifferent }) => isDifferent).flatMap((one) => one.next ?? rows.get(one.key) ?? []);
  if (versions.length > 0) {
    await query.query(
      `insert into note_version (set_id, key, value, updated_at, replaced_at, reason, by_id, by_email)
       select $1, v.key, v.value, v."updatedAt", $2, v.reason, v.by->>'userId', v.by->>'email'
       from jsonb_to_recordset($3::jsonb) as v(key text, value text, "updatedAt" timestamptz, reason text, by jsonb)`,
      [set.id, set.now, JSON.stringify(versions)],
    );
  }
  if (next.length === 0) return { revision: set.revision, mark: set.mark, rows: different };
  const isGrowing = next.some(({ key }) => !rows.has(key));
  if (isGrowing) {
    const [{ count = 0 } = {}] = await query.query<{ count: number }>('select count(*) as count from note where set_id = $1', [set.id]);
    if (count + next.length > maxRows) throw new Refusal({ what: 'full', limit: maxRows });
  }
  await query.query(
    `insert into note (set_id, key, value, updated_at, deleted_at, revision, source, confidence, links, by_id, by_email, received_at)
     select $1, n.key, n.value, n."updatedAt", n."deletedAt", $2, n.source, n.confidence, n.links, $4, $5, $6
     from jsonb_to_recordset($3::jsonb)
       as n(key text, value text, "updatedAt" timestamptz, "deletedAt" timestamptz, source jsonb, confidence double precision, links jsonb)
     on conflict (set_id, key) do update set value = excluded.value, updated_at = excluded.updated_at, deleted_at = excluded.deleted_at,
       revision = excluded.revision, source = excluded.source, confidence = excluded.confidence, links = excluded.links,
       by_id = excluded.by_id, by_email = excluded.by_email, received_at = excluded.received_at`,
    [set.id, revision, JSON.stringify(next), by.userId, by.email, set.now],
  );
  const mark = await raise(query, set.id, revision, set.now);
  return { revision, mark, rows: different };
}

/** Raises the revision of a set, and returns its new random mark, which distinguishes equal revisions of two histories. */
async function raise(query: Query, setId: number, revision: number, at: Date): Promise<string> {
  const mark = randomBytes(9).toString('base64url');
  await query.query(
    `with raised as (update note_set set revision = $2, mark = $3 where id = $1)
     insert into note_revision (set_id, revision, mark, at) values ($1, $2, $3, $4)`,
    [setId, revision, mark, at],
  );
  return mark;
}

/** Aborts the transaction, so that nothing is stored. */
class Refusal extends Error {
  readonly answer: WriteAnswer;

  constructor(answer: WriteAnswer) {
    super(answer.what);
    this.answer = answer;
  }
}
