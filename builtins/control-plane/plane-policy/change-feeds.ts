// Notifies members' services when the organisation's policy or fleet configuration, or a membership, changes.
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { Signals } from 'agent-harness/builtins/control-plane/plane-signals';
import { eventFrame, type EventStream } from '#lib/event-stream';

/** Current revisions of an organisation. Each notification contains all of them, so that a lost notification does no harm. */
export interface Revisions {
  readonly policy: number;
  readonly fleet: number;
  /** Changes whenever a member or a role changes. */
  readonly membership: string;
}

export interface ChangeFeeds {
  /** Opens a stream, and sends the state now and after each change until the stream is closed. Rejects with the database's error, without opening a stream. */
  follow(orgId: string, open: () => EventStream): Promise<void>;
  /** Notifies every node of a change. */
  announce(orgId: string): void;
  dispose(): void;
}

export interface ChangeParts {
  readonly database: Database;
  readonly signals: Signals;
  readonly onFault: (fault: unknown) => void;
}

interface Feed {
  readonly streams: Set<EventStream>;
  last?: Revisions;
}

/** Interval of the poll timer in milliseconds. */
const tickMs = 1_000;
/** Polling interval in ticks while signals work; a single signal may still be lost. */
const calmTicks = 5;

/** Creates the change streams of all organisations. The caller must dispose them. */
export function createChangeFeeds({ database, signals, onFault }: ChangeParts): ChangeFeeds {
  const feeds = new Map<string, Feed>();
  const due = new Set<string>();
  let reading: Promise<void> | undefined;
  let ticks = 0;
  let isBehind = false;

  async function read(orgIds: readonly string[]): Promise<ReadonlyMap<string, Revisions>> {
    const rows = await database.query<Revisions & { org_id: string }>(
      `select wanted.org_id,
         coalesce((select revision from org_document d where d.org_id = wanted.org_id and kind = 'policy'), 0) as policy,
         coalesce((select revision from org_document d where d.org_id = wanted.org_id and kind = 'fleet'), 0) as fleet,
         coalesce((select md5(string_agg(user_id || ' ' || role, ',' order by user_id)) from membership m where m.org_id = wanted.org_id), '') as membership
       from unnest($1::text[]) as wanted (org_id)`,
      [orgIds],
    );
    return new Map(rows.map(({ org_id, policy, fleet, membership }) => [org_id, { policy, fleet, membership }]));
  }

  /** Reads all due organisations in one query. */
  async function readDue(): Promise<void> {
    while (due.size > 0) {
      const orgIds = [...due].filter((orgId) => feeds.has(orgId));
      due.clear();
      if (orgIds.length === 0) return;
      for (const [orgId, now] of await read(orgIds)) notify(orgId, now);
    }
    isBehind = false;
  }

  function refresh(orgIds: Iterable<string>): void {
    for (const orgId of orgIds) due.add(orgId);
    reading ??= readDue()
      .catch((fault: unknown) => {
        isBehind = true;
        onFault(fault);
      })
      .finally(() => (reading = undefined));
  }

  function notify(orgId: string, now: Revisions): void {
    const feed = feeds.get(orgId);
    if (!feed || (feed.last && isSame(feed.last, now))) return;
    feed.last = now;
    const frame = eventFrame(now);
    for (const stream of feed.streams) stream.write(frame);
  }

  const subscriptions = [
    signals.subscribe('changes.*', (_, topic) => refresh([topic.slice(topic.indexOf('.') + 1)])),
    // Checks all organisations, because the organisation of a changed credential is unknown.
    signals.subscribe('access', (payload) => {
      const { orgId } = Object(payload) as { readonly orgId?: unknown };
      if (typeof orgId === 'string') refresh([orgId]);
    }),
    signals.onRecovered(() => refresh(feeds.keys())),
  ];
  const timer = setInterval(() => {
    if (feeds.size > 0 && (isBehind || signals.state() === 'lost' || ++ticks % calmTicks === 0)) refresh(feeds.keys());
  }, tickMs);
  timer.unref();

  return {
    async follow(orgId, open) {
      const now = (await read([orgId])).get(orgId);
      const stream = open();
      const feed: Feed = feeds.get(orgId) ?? { streams: new Set() };
      feeds.set(orgId, feed);
      feed.streams.add(stream);
      if (now) {
        feed.last ??= now;
        stream.write(eventFrame(now));
      }
      const leave = (): void => {
        feed.streams.delete(stream);
        if (feed.streams.size === 0 && feeds.get(orgId) === feed) feeds.delete(orgId);
      };
      stream.signal.addEventListener('abort', leave, { once: true });
      if (stream.signal.aborted) leave();
      // The state may have changed since the read.
      else refresh([orgId]);
    },
    announce: (orgId) => signals.publish(`changes.${orgId}`, {}),
    dispose() {
      clearInterval(timer);
      for (const subscription of subscriptions) void subscription.dispose();
      feeds.clear();
    },
  };
}

function isSame(left: Revisions, right: Revisions): boolean {
  return left.policy === right.policy && left.fleet === right.fleet && left.membership === right.membership;
}
