// Writes, reads and verifies the audit logs of organisations.
import { stableJson } from '#lib/values';
import type { Database, Query } from 'agent-harness/builtins/control-plane/plane-database';
import type { Storage } from 'agent-harness/plugins/storage';
import { chainHash, type AuditRow } from './chain.ts';
import type { Audit, AuditEvent, ReportedEvent } from './contract.ts';

export interface AuditParts {
  readonly database: Database;
  readonly storage: Pick<Storage, 'createId'>;
}

interface ChainRow {
  readonly seq: number;
  readonly hash: string;
  readonly first_seq: number;
  readonly first_hash: string;
}

type StoredRow = AuditRow & { readonly hash: string };

interface Author {
  readonly source: AuditEvent['source'];
  readonly userId: string;
}

const columns = 'seq, event_id, source, user_id, kind, at, received_at, chat_id, turn_id, metrics, hash';
/** Number of lines read at once during a verification. */
const pageSize = 1_000;

export function createAudit({ database, storage }: AuditParts): Audit {
  /** Locks the log until the end of the transaction. */
  async function lock(orgId: string, transaction: Query): Promise<ChainRow> {
    const [row] = await transaction.query<ChainRow>(
      `insert into audit_chain (org_id) values ($1) on conflict (org_id) do update set org_id = excluded.org_id
       returning seq, hash, first_seq, first_hash`,
      [orgId],
    );
    return row!;
  }

  async function append(orgId: string, { source, userId }: Author, events: readonly ReportedEvent[], transaction: Query): Promise<number> {
    const chain = await lock(orgId, transaction);
    const known = await transaction.query<{ event_id: string }>(
      'select event_id from audit_event where org_id = $1 and source = $2 and user_id = $3 and event_id = any($4::text[])',
      [orgId, source, userId, events.map(({ id }) => id)],
    );
    const stored = new Set(known.map(({ event_id }) => event_id));
    // Uses the clock of the database, which all nodes share. Truncates to milliseconds, because the hashed time must be read back unchanged.
    const [clock] = await transaction.query<{ now: Date }>(`select date_trunc('milliseconds', clock_timestamp()) as now`);
    let { seq, hash } = chain;
    const rows: StoredRow[] = [];
    for (const { id, kind, at, chatId = null, turnId = null, metrics = {} } of events) {
      if (stored.size === stored.add(id).size) continue;
      const plain = { event_id: id, source, user_id: userId, kind, at, received_at: clock!.now, chat_id: chatId, turn_id: turnId };
      const row = { ...plain, seq: ++seq, metrics: stableJson(metrics) };
      hash = chainHash(hash, row);
      rows.push({ ...row, hash });
    }
    if (rows.length === 0) return 0;
    const lists = <K extends keyof StoredRow>(key: K): StoredRow[K][] => rows.map((row) => row[key]);
    await transaction.query(
      `insert into audit_event (org_id, source, user_id, received_at, seq, event_id, kind, at, chat_id, turn_id, metrics, hash)
       select $1, $2, $3, $4::timestamptz, * from unnest($5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])`,
      [
        ...[orgId, source, userId, clock!.now],
        ...[lists('seq'), lists('event_id'), lists('kind'), lists('at'), lists('chat_id'), lists('turn_id'), lists('metrics'), lists('hash')],
      ],
    );
    await transaction.query('update audit_chain set seq = $2, hash = $3 where org_id = $1', [orgId, seq, hash]);
    return rows.length;
  }

  async function page(orgId: string, after: number, limit: number): Promise<readonly StoredRow[]> {
    return database.query<StoredRow>(`select ${columns} from audit_event where org_id = $1 and seq > $2 order by seq limit $3`, [orgId, after, limit]);
  }

  return {
    async record(orgId, { kind, userId = '', metrics }, transaction) {
      const event = { id: storage.createId('act'), kind, at: new Date().toISOString(), ...(metrics ? { metrics } : {}) };
      const work = (inside: Query): Promise<number> => append(orgId, { source: 'plane', userId }, [event], inside);
      await (transaction ? work(transaction) : database.transaction(work));
    },
    async report(orgId, userId, events) {
      const stored = await database.transaction((transaction) => append(orgId, { source: 'service', userId }, events, transaction));
      return { stored, duplicates: events.length - stored };
    },
    async read(orgId, { since, kind, after = 0, before = Number.MAX_SAFE_INTEGER, isNewestFirst = false, limit }) {
      const rows = await database.query<StoredRow>(
        `select ${columns} from audit_event
         where org_id = $1 and seq > $2 and seq < $3 and ($4::timestamptz is null or received_at >= $4) and ($5::text is null or kind = $5)
         order by seq ${isNewestFirst ? 'desc' : 'asc'} limit $6`,
        [orgId, after, before, since ?? null, kind ?? null, limit],
      );
      return rows.map(toEvent);
    },
    async kinds(orgId) {
      // Skips from kind to kind in the index, so that the cost does not depend on the number of lines.
      const rows = await database.query<{ kind: string }>(
        `with recursive found as (
           (select kind from audit_event where org_id = $1 order by kind limit 1)
           union all
           select (select kind from audit_event where org_id = $1 and kind > found.kind order by kind limit 1) from found where found.kind is not null
         )
         select kind from found where kind is not null`,
        [orgId],
      );
      return rows.map(({ kind }) => kind);
    },
    async verify(orgId) {
      const [chain] = await database.query<ChainRow>('select seq, hash, first_seq, first_hash from audit_chain where org_id = $1', [orgId]);
      let { first_seq: seq, first_hash: hash } = chain ?? { first_seq: 0, first_hash: '' };
      const begin = seq;
      const end = chain?.seq ?? 0;
      const broken = (why: string): Awaited<ReturnType<Audit['verify']>> => ({ ok: false, events: seq - begin, brokenAt: seq + 1, why });
      while (seq < end) {
        const rows = (await page(orgId, seq, pageSize)).filter((row) => row.seq <= end);
        if (rows.length === 0) return broken('This line and all later lines are missing.');
        for (const row of rows) {
          if (row.seq !== seq + 1) return broken('This line is missing.');
          const expected = chainHash(hash, row);
          if (expected !== row.hash) return broken('This line, or an earlier one, was changed.');
          seq = row.seq;
          hash = expected;
        }
      }
      return hash === (chain?.hash ?? '') ? { ok: true, events: seq - begin, head: hash } : { ...broken('The newest lines are missing.'), brokenAt: seq };
    },
    async retention(orgId) {
      const [row] = await database.query<{ keep_days: number | null }>('select keep_days from audit_chain where org_id = $1', [orgId]);
      return row?.keep_days ?? null;
    },
    async keepFor(orgId, days) {
      await database.query('insert into audit_chain (org_id, keep_days) values ($1, $2) on conflict (org_id) do update set keep_days = excluded.keep_days', [
        orgId,
        days,
      ]);
    },
    async sweep() {
      const chains = await database.query<{ org_id: string }>('select org_id from audit_chain where keep_days is not null', []);
      let removed = 0;
      for (const { org_id } of chains) removed += await sweepOne(org_id);
      return removed;
    },
  };

  /** Removes only a prefix of the log, so that the rest can still be verified. */
  function sweepOne(orgId: string): Promise<number> {
    return database.transaction(async (transaction) => {
      await lock(orgId, transaction);
      const [last] = await transaction.query<{ seq: number; hash: string }>(
        `select seq, hash from audit_event e where org_id = $1 and seq < coalesce((select min(seq) from audit_event where org_id = $1
           and received_at >= now() - (select keep_days from audit_chain where org_id = $1) * interval '1 day'), 9007199254740991)
         order by seq desc limit 1`,
        [orgId],
      );
      if (!last) return 0;
      const gone = await transaction.query('delete from audit_event where org_id = $1 and seq <= $2 returning seq', [orgId, last.seq]);
      await transaction.query('update audit_chain set first_seq = $2, first_hash = $3 where org_id = $1', [orgId, last.seq, last.hash]);
      return gone.length;
    });
  }
}

function toEvent(row: StoredRow): AuditEvent {
  const { seq, event_id: id, source, user_id: userId, kind, at, received_at, chat_id: chatId, turn_id: turnId, metrics, hash } = row;
  return {
    ...{ seq, id, source, kind, at, receivedAt: received_at.toISOString() },
    ...(userId === '' ? {} : { userId }),
    ...(chatId === null ? {} : { chatId }),
    ...(turnId === null ? {} : { turnId }),
    metrics: JSON.parse(metrics) as Readonly<Record<string, unknown>>,
    hash,
  };
}
