// Stores the messages of the team bus in the database: publishes them with a cursor, and reads them after a cursor.
import { codeOf } from '#lib/errors';
import { eventFrame } from '#lib/event-stream';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';

/** A workspace of an organisation, to which messages belong. */
export interface BusPlace {
  readonly orgId: string;
  readonly workspace: string;
}

export interface Publication extends BusPlace {
  readonly key: string;
  /** JSON. */
  readonly envelope: string;
  readonly from: { readonly userId: string; readonly name: string };
  readonly clientId: string;
  readonly mutationId: string;
}

export interface BusMessage {
  readonly cursor: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The message as sent to subscribers. */
  readonly frame: string;
}

export interface BusWorkspace {
  readonly workspace: string;
  /** Cursor of the newest message. */
  readonly cursor: number;
  readonly messages: number;
  /** Time of the newest message. */
  readonly at: Date;
  /** Keys of the newest messages, by name. */
  readonly keys: readonly string[];
}

export interface BusLog {
  /** Resolves with the cursor once the message is committed. A repeated mutation resolves with the first cursor, or with `undefined` if its content differs. */
  publish(
    publication: Publication,
  ): Promise<{ readonly cursor: number; /** Omitted for a message that was published before. */ readonly message?: BusMessage } | undefined>;
  head(place: BusPlace): Promise<number>;
  /** Returns the newest cursors of several workspaces; omits workspaces without messages. */
  heads(places: readonly BusPlace[]): Promise<readonly (BusPlace & { readonly cursor: number })[]>;
  /** Returns the workspaces of the organisation, most recent message first, up to the limit. */
  workspaces(orgId: string, limit: number): Promise<readonly BusWorkspace[]>;
  /** Returns stored messages after `after` up to `upTo`, oldest first. */
  read(place: BusPlace, after: number, upTo: number, limit: number): Promise<readonly BusMessage[]>;
  /** Removes old messages. Resolves with the number of removed messages. */
  sweep(): Promise<number>;
  /** Returns the time before which messages are no longer delivered, in milliseconds since 1970. */
  oldest(): number;
}

interface Row {
  readonly cursor: number;
  readonly at: Date;
  readonly key: string;
  readonly envelope: string;
  readonly user_id: string;
  readonly name: string;
}

const uniqueViolation = '23505';
const dayMs = 86_400_000;
/** SQL expression for the cursor of a workspace without messages. */
const floor = 'coalesce((select cursor from bus_floor), 0)';
/** Number of a workspace's newest messages whose keys are listed. */
const messagesForKeys = 500;

/** @param settings read on every use */
export function createBusLog(database: Database, settings: { readonly days: number }): BusLog {
  const oldest = (): number => Date.now() - settings.days * dayMs;

  async function insert({ orgId, workspace, key, envelope, from, clientId, mutationId }: Publication): Promise<BusMessage> {
    const [row] = await database.query<Pick<Row, 'cursor' | 'at'>>(
      `with next as (
         insert into bus_workspace (org_id, workspace, cursor) values ($1, $2, ${floor} + 1)
         on conflict (org_id, workspace) do update set cursor = bus_workspace.cursor + 1 returning cursor
       )
       insert into bus_message (org_id, workspace, cursor, at, key, envelope, user_id, name, client_id, mutation_id)
       select $1, $2, cursor, clock_timestamp(), $3, $4, $5, $6, $7, $8 from next returning cursor, at`,
      [orgId, workspace, key, envelope, from.userId, from.name, clientId, mutationId],
    );
    return toMessage({ ...row!, key, envelope, user_id: from.userId, name: from.name });
  }

  async function published({
    orgId,
    workspace,
    key,
    envelope,
    from,
    clientId,
    mutationId,
  }: Publication): Promise<{ cursor: number; is_same: boolean } | undefined> {
    const [row] = await database.query<{ cursor: number; is_same: boolean }>(
      `select cursor, workspace = $5 and key = $6 and envelope = $7 as is_same from bus_message
       where org_id = $1 and user_id = $2 and client_id = $3 and mutation_id = $4`,
      [orgId, from.userId, clientId, mutationId, workspace, key, envelope],
    );
    return row;
  }

  return {
    async publish(publication) {
      try {
        const message = await insert(publication);
        return { cursor: message.cursor, message };
      } catch (fault) {
        if (codeOf(fault) !== uniqueViolation) throw fault;
        const known = await published(publication);
        if (!known) throw fault;
        return known.is_same ? { cursor: known.cursor } : undefined;
      }
    },
    async head({ orgId, workspace }) {
      const [row] = await database.query<{ cursor: number }>(
        `select coalesce((select cursor from bus_workspace where org_id = $1 and workspace = $2), ${floor}) as cursor`,
        [orgId, workspace],
      );
      return row?.cursor ?? 0;
    },
    async heads(places) {
      const rows = await database.query<{ org_id: string; workspace: string; cursor: number }>(
        `select org_id, workspace, cursor from bus_workspace join unnest($1::text[], $2::text[]) as wanted (org_id, workspace) using (org_id, workspace)`,
        [places.map(({ orgId }) => orgId), places.map(({ workspace }) => workspace)],
      );
      return rows.map(({ org_id, workspace, cursor }) => ({ orgId: org_id, workspace, cursor }));
    },
    workspaces: (orgId, limit) =>
      // Reads the first and the last cursor of each workspace from the index instead of counting rows.
      database.query<BusWorkspace>(
        `select w.workspace, newest.cursor as cursor, newest.cursor - oldest.cursor + 1 as messages, newest.at, named.keys from bus_workspace w
         cross join lateral (select cursor, at from bus_message where org_id = $1 and workspace = w.workspace order by cursor desc limit 1) newest
         cross join lateral (select cursor from bus_message where org_id = $1 and workspace = w.workspace order by cursor limit 1) oldest
         cross join lateral (
           select array_agg(distinct key order by key) as keys
           from (select key from bus_message where org_id = $1 and workspace = w.workspace order by cursor desc limit ${messagesForKeys}) latest
         ) named
         where w.org_id = $1 and newest.at >= $2 order by newest.at desc limit $3`,
        [orgId, new Date(oldest()), limit],
      ),
    async read({ orgId, workspace }, after, upTo, limit) {
      const rows = await database.query<Row>(
        `select cursor, at, key, envelope, user_id, name from bus_message
         where org_id = $1 and workspace = $2 and cursor > $3 and cursor <= $4 and at >= $5 order by cursor limit $6`,
        [orgId, workspace, after, upTo, new Date(oldest()), limit],
      );
      return rows.map(toMessage);
    },
    async sweep() {
      const [row] = await database.query<{ count: number }>(
        'with gone as (delete from bus_message where at < $1 returning 1) select count(*) as count from gone',
        [new Date(oldest())],
      );
      return row?.count ?? 0;
    },
    oldest,
  };
}

function toMessage({ cursor, at, key, envelope, user_id: userId, name }: Row): BusMessage {
  const data = { cursor, key, envelope: JSON.parse(envelope) as unknown, from: { userId, name }, at: at.toISOString() };
  return { cursor, at: at.getTime(), frame: eventFrame(data, cursor) };
}
