// Tracks the nodes of the control plane by their heartbeats in the database.
import { hostname } from 'node:os';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';

export interface PlaneNode {
  /** `node_…` */
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** Offset of the node's clock from the database clock, in milliseconds. */
  readonly skewMs: number;
}

export interface Nodes {
  readonly ownId: string;
  /** Lists the live nodes. */
  list(): Promise<readonly PlaneNode[]>;
  /** Returns the offset of this machine's clock from the database clock, in milliseconds. */
  measureSkew(): Promise<number>;
  /** Starts the heartbeats of this node. */
  begin(): void;
  /** Records the end of this node. */
  end(): Promise<void>;
}

const heartbeatMs = 10_000;
/** Time in milliseconds without a heartbeat after which a node is treated as ended. */
const deadMs = 35_000;

export const nodeMigration = {
  number: 1,
  name: 'node',
  sql: `create table plane_node (
    id text primary key, host text not null, version text not null, started_at timestamptz not null, seen_at timestamptz not null, skew_ms bigint not null
  )`,
};

/** @param onFault called when a heartbeat fails; the next one is still sent */
export function createNodes(database: Database, own: { readonly id: string; readonly version: string }, onFault: (fault: unknown) => void): Nodes {
  const startedAt = new Date();
  let timer: NodeJS.Timeout | undefined;
  let reporting: Promise<void> = Promise.resolve();

  async function measureSkew(): Promise<number> {
    const before = Date.now();
    const [row] = await database.query<{ now: Date }>('select clock_timestamp() as now', []);
    const after = Date.now();
    // The database read its clock between the request and the response.
    const theirs = row?.now.getTime() ?? before;
    return theirs < before ? before - theirs : theirs > after ? after - theirs : 0;
  }

  async function report(): Promise<void> {
    const skewMs = await measureSkew();
    await database.query(
      `insert into plane_node (id, host, version, started_at, seen_at, skew_ms) values ($1, $2, $3, $4, now(), $5)
       on conflict (id) do update set seen_at = excluded.seen_at, skew_ms = excluded.skew_ms`,
      [own.id, hostname(), own.version, startedAt, skewMs],
    );
    await database.query(`delete from plane_node where seen_at < now() - interval '1 day'`, []);
  }

  const reportAgain = (): void => {
    reporting = report().catch(onFault);
  };

  return {
    ownId: own.id,
    measureSkew,
    list: () =>
      database.query<PlaneNode>(
        `select id, host, version, started_at as "startedAt", seen_at as "seenAt", skew_ms as "skewMs" from plane_node
         where seen_at > now() - make_interval(secs => $1::float8 / 1000) order by started_at, id`,
        [deadMs],
      ),
    begin() {
      if (timer) return;
      timer = setInterval(reportAgain, heartbeatMs).unref();
      reportAgain();
    },
    async end() {
      if (!timer) return;
      clearInterval(timer);
      await reporting;
      await database.query('delete from plane_node where id = $1', [own.id]).catch(onFault);
    },
  };
}
