// Stores uploaded chat sessions in the database: appends each chunk once and in order, and searches the text.
import { sha256 } from '#lib/hash';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { HistoryChunk, HistoryHit, HistoryPage, HistorySession, HistoryStored } from './contract.ts';

export interface SessionOwner {
  readonly orgId: string;
  readonly userId: string;
}

export type AppendAnswer =
  | ({ readonly what: 'done' } & HistoryStored)
  /** A different text is already stored under this number. */
  | { readonly what: 'conflict' }
  /** Earlier chunks are missing. */
  | { readonly what: 'gap'; readonly nextSeq: number };

export interface SessionStore {
  append(owner: SessionOwner, chunk: HistoryChunk): Promise<AppendAnswer>;
  /** Returns the sessions, most recently extended first. @param cursor cursor that the previous page returned */
  list(owner: SessionOwner, cursor: string | undefined): Promise<{ readonly sessions: HistorySession[]; readonly cursor?: string }>;
  /** Searches the lines of all sessions, newest first. @param cursor cursor that the previous page returned */
  search(owner: SessionOwner, query: string, cursor: string | undefined): Promise<{ readonly hits: HistoryHit[]; readonly cursor?: string }>;
  /** Returns lines of a session; `undefined` if it does not exist. @param from number of the first line */
  read(owner: SessionOwner, sessionId: string, from: number): Promise<HistoryPage | undefined>;
  /** Removes one session, or all sessions; resolves with the number of removed sessions. */
  remove(owner: SessionOwner, sessionId: string | undefined): Promise<number>;
  /** Removes sessions without an upload for the given number of days. */
  removeOld(days: number): Promise<void>;
}

const pageSessions = 50;
const pageHits = 20;
const pageLines = 500;
/** Maximum size of a page in UTF-16 code units, in addition to its first line. */
const pageSize = 2_000_000;
const excerptOptions = 'MaxWords=32, MinWords=12, MaxFragments=1, StartSel="", StopSel=""';

export function createSessionStore(database: Pick<Database, 'query' | 'transaction'>): SessionStore {
  // Owner word, which is searched in the index together with the words of the query. Only the column identifies the owner, because a text may contain any word.
  const wordOf = ({ orgId, userId }: SessionOwner): string => `owner-${sha256(`${orgId} ${userId}`)}`;

  return {
    append: ({ orgId, userId }, { sessionId, seq, lines, sha256: hash }) =>
      database.transaction(async (query): Promise<AppendAnswer> => {
        // Only the first chunk creates a session, so a chunk that arrives too early does not create one.
        const [session = { id: 0, total: 0, next_seq: 0 }] = await query.query<{ id: number; total: number; next_seq: number }>(
          seq === 0
            ? `insert into history_session (org_id, user_id, session_id) values ($1, $2, $3)
               on conflict (org_id, user_id, session_id) do update set total = history_session.total returning id, total, next_seq`
            : 'select id, total, next_seq from history_session where org_id = $1 and user_id = $2 and session_id = $3 for update',
          [orgId, userId, sessionId],
        );
        if (seq > session.next_seq) return { what: 'gap', nextSeq: session.next_seq };
        if (seq < session.next_seq) {
          const [known] = await query.query<{ sha256: string }>('select sha256 from history_chunk where session = $1 and seq = $2', [session.id, seq]);
          return known?.sha256 === hash ? { what: 'done', stored: 0, total: session.total } : { what: 'conflict' };
        }
        await query.query('insert into history_chunk (session, seq, sha256) values ($1, $2, $3)', [session.id, seq, hash]);
        await query.query(
          `insert into history_line (session, line, owner, text) select $1, $2::bigint + given.at - 1, $3, given.text
           from unnest($4::text[]) with ordinality as given(text, at)`,
          [session.id, session.total, wordOf({ orgId, userId }), lines],
        );
        const total = session.total + lines.length;
        await query.query('update history_session set total = $2, next_seq = $3, at = now() where id = $1', [session.id, total, seq + 1]);
        return { what: 'done', stored: lines.length, total };
      }),

    async list({ orgId, userId }, cursor) {
      const [ms, id] = (cursor ?? '').split('.').map(Number);
      // Rounds to milliseconds, the precision of the cursor.
      const rows = await database.query<{ id: number; sessionId: string; lines: number; at: Date }>(
        `select id, session_id as "sessionId", total as lines, date_trunc('milliseconds', at) as at from history_session
         where org_id = $1 and user_id = $2
           and ($3::bigint is null or (date_trunc('milliseconds', at), id) < (timestamptz 'epoch' + $3::bigint * interval '1 millisecond', $4::bigint))
         order by date_trunc('milliseconds', at) desc, id desc limit ${pageSessions + 1}`,
        [orgId, userId, ms || null, id ?? 0],
      );
      const sessions = rows.slice(0, pageSessions);
      const last = sessions.at(-1);
      return {
        sessions: sessions.map(({ sessionId, lines, at }) => ({ sessionId, lines, at: at.toISOString() })),
        ...(rows.length > pageSessions && last ? { cursor: `${last.at.getTime()}.${last.id}` } : {}),
      };
    },

    async search(owner, text, cursor) {
      const [session, line] = (cursor ?? '').split('.').map(Number);
      const rows = await database.query<{ id: number; sessionId: string; line: number; at: Date; excerpt: string }>(
        // Not materialized, because the planner must know the words when it chooses the index.
        `with wanted as not materialized (select websearch_to_tsquery('simple'::regconfig, $1) as words),
           found as (
             select l.session, l.line, l.at, l.text from history_line l, wanted w
             where numnode(w.words) > 0 and l.owner = $2 and l.words @@ (w.words && ('''' || $2 || '''')::tsquery)
               and ($3::bigint is null or (l.session, l.line) < ($3::bigint, $4::bigint))
             order by l.session desc, l.line desc limit ${pageHits + 1}
           )
         select f.session as id, s.session_id as "sessionId", f.line, f.at,
           ts_headline('simple'::regconfig, left(f.text, 20000), w.words, '${excerptOptions}') as excerpt
         from found f join history_session s on s.id = f.session, wanted w order by f.session desc, f.line desc`,
        [text, wordOf(owner), session || null, line ?? 0],
      );
      const hits = rows.slice(0, pageHits);
      const last = hits.at(-1);
      return {
        hits: hits.map(({ id: _, at, ...hit }) => ({ ...hit, at: at.toISOString() })),
        ...(rows.length > pageHits && last ? { cursor: `${last.id}.${last.line}` } : {}),
      };
    },

    async read({ orgId, userId }, sessionId, from) {
      const rows = await database.query<{ total: number; nextSeq: number; line: number | null; text: string }>(
        `select s.total, s.next_seq as "nextSeq", l.line, l.text from history_session s
         left join lateral (select line, text from history_line where session = s.id and line >= $4 order by line limit ${pageLines}) l on true
         where s.org_id = $1 and s.user_id = $2 and s.session_id = $3 order by l.line`,
        [orgId, userId, sessionId, from],
      );
      const [session] = rows;
      if (!session) return undefined;
      const lines: string[] = [];
      let size = 0;
      for (const { line, text } of rows) {
        if (line === null || (lines.length > 0 && size > pageSize)) break;
        lines.push(text);
        size += text.length;
      }
      const next = from + lines.length;
      return { lines, total: session.total, nextSeq: session.nextSeq, ...(lines.length > 0 && next < session.total ? { cursor: next } : {}) };
    },

    remove: async ({ orgId, userId }, sessionId) =>
      (
        await database.query('delete from history_session where org_id = $1 and user_id = $2 and ($3::text is null or session_id = $3) returning 1', [
          orgId,
          userId,
          sessionId ?? null,
        ])
      ).length,

    removeOld: async (days) => void (await database.query('delete from history_session where at < now() - make_interval(secs => $1)', [days * 86_400])),
  };
}
