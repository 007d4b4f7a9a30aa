// Reserves before a call, settles once after it. Each is one statement, or many in one; what is true is decided in the database.
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import { createBatches } from './batches.ts';

export interface Reservation {
  readonly holdId: string;
  readonly orgId: string;
  readonly userId: string;
  readonly requestId: string;
  readonly kind: 'chat' | 'transcription' | 'speech';
  readonly model: string;
  readonly purpose: string;
  readonly priceId: number;
  /** Below it the call is not worth making. */
  readonly minimumMicro: number;
  readonly wantedMicro: number;
  /** What is taken if this node ends in the middle of it. */
  readonly estimateMicro: number;
}

export interface Reserved {
  /** From the minimum to what was wanted; left out where that is not there. */
  readonly grantedMicro?: number;
  /** Of whichever allows less. */
  readonly whose: 'organisation' | 'member';
  readonly capMicro: number;
  readonly usedMicro: number;
  readonly heldMicro: number;
  readonly periodEnd?: Date;
}

export interface Settlement {
  readonly amountMicro: number;
  readonly input?: number;
  readonly cached?: number;
  readonly output?: number;
  /** Milliseconds of sound, or characters. */
  readonly units?: number;
  /** `usage`: tokens as told, by the price table; `cost`: as the provider charges it; `estimate`: from what was delivered. */
  readonly basis: 'usage' | 'cost' | 'estimate';
  /** `cut`: the provider or this plane ended it early; `left`: the caller did. */
  readonly outcome: 'complete' | 'cut' | 'left';
}

export interface Settled {
  /** False where it was settled before; the amounts are those of then. */
  readonly isFirst: boolean;
  readonly amountMicro: number;
  /** What the call cost beyond what the wallet could still pay. */
  readonly uncoveredMicro: number;
  /** 80 or 95, once in a period: that much of the cap is used now. */
  readonly warning?: 80 | 95;
}

export interface Ledger {
  reserve(reservation: Reservation): Promise<Reserved>;
  settle(holdId: string, settlement: Settlement): Promise<Settled>;
  /** Gives back what was held: nothing was used. Answers whether this call did it. */
  release(holdId: string): Promise<boolean>;
  /** The request goes to the provider now, or still runs: it would cost that much, and is not over. */
  touch(calls: readonly { readonly holdId: string; readonly estimateMicro: number }[]): Promise<void>;
  /** Ends holds that ran out, at most so many. Answers how many it ended. */
  sweep(most: number): Promise<number>;
  /** Removes holds that ended so many days ago, at most so many; their entries stay. Answers how many went. */
  forget(days: number, most: number): Promise<number>;
}

/** @param holdMs read at each use: how long a hold lasts without word of its call */
export function createLedger(database: Pick<Database, 'query' | 'transaction'>, holdMs: () => number): Ledger {
  /** Writes to the disk what was committed before it. Those who come while one is on its way share the next. */
  const flush = createShared(() => database.query("select pg_logical_emit_message(true, 'inference', '')"));

  /** Row after row takes its lock once for all of them, so many calls at once cost a few statements. */
  const reserve = createBatches<Reservation, Reserved>(async (all) => {
    const rows = await database.query<ReserveRow>(
      `select r.* from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::bigint[], $10::bigint[],
        $11::bigint[]) with ordinality as c(hold, org, member, request, kind, model, purpose, price, minimum, wanted, estimate, at)
      cross join lateral inference_reserve(c.hold, c.org, c.member, c.request, c.kind, c.model, c.purpose, c.price, c.minimum, c.wanted, c.estimate, $12) r
      order by c.at`,
      [...columnsOf(all), holdMs()],
    );
    return rows.map(reservedOf);
  }, mostAtOnce);

  return {
    reserve: (reservation) => reserve(reservation.orgId, reservation),
    async settle(holdId, { amountMicro, input = null, cached = null, output = null, units = null, basis, outcome }) {
      const [row] = await database.query<{ is_first: boolean; amount: number | null; uncovered: number | null; warned: number; warned_before: number }>(
        'select * from inference_settle($1, $2, $3, $4, $5, $6, $7, $8)',
        [holdId, amountMicro, input, cached, output, units, basis, outcome],
      );
      await flush();
      const isWarned = row !== undefined && row.is_first && row.warned > row.warned_before;
      return {
        isFirst: row?.is_first ?? false,
        amountMicro: row?.amount ?? 0,
        uncoveredMicro: row?.uncovered ?? 0,
        ...(isWarned ? { warning: row.warned as 80 | 95 } : {}),
      };
    },
    async release(holdId) {
      const [row] = await database.query<{ is_first: boolean }>('select is_first from inference_void($1)', [holdId]);
      return row?.is_first ?? false;
    },
    async touch(calls) {
      await database.query(
        `with synchronous as (select set_config('synchronous_commit', 'off', true)), call as (select * from unnest($1::text[], $2::bigint[]) as c(id, estimate))
        update inference_hold h set sent_at = coalesce(h.sent_at, clock_timestamp()), estimate_micro = least(call.estimate, h.amount_micro),
          expires_at = clock_timestamp() + $3::bigint * interval '1 millisecond'
        from call, synchronous where h.id = call.id and h.state = 'held'`,
        [calls.map(({ holdId }) => holdId), calls.map(({ estimateMicro }) => estimateMicro), holdMs()],
      );
    },
    async sweep(most) {
      for (let ended = 0; ended < most; ended++) {
        // One at a time: two wallets locked by two nodes in two orders would wait for each other.
        const [row] = await database.transaction((transaction) => transaction.query<{ hold: string | null }>('select hold from inference_sweep()'));
        if (row?.hold == null) {
          if (ended > 0) await flush();
          return ended;
        }
      }
      await flush();
      return most;
    },
    async forget(days, most) {
      const [row] = await database.query<{ count: number }>(
        `with old as (select id from inference_hold where state <> 'held' and ended_at < now() - make_interval(days => $1) order by ended_at limit $2
            for update skip locked),
          gone as (delete from inference_hold h using old where h.id = old.id returning 1)
         select count(*) as count from gone`,
        [days, most],
      );
      return row?.count ?? 0;
    },
  };
}

interface ReserveRow {
  readonly granted: number | null;
  readonly cap: number;
  readonly used: number;
  readonly held: number;
  readonly ends: Date | null;
  readonly whose: Reserved['whose'];
}

const mostAtOnce = 64;

function columnsOf(all: readonly Reservation[]): unknown[][] {
  const columns: readonly ((one: Reservation) => string | number)[] = [
    (one) => one.holdId,
    (one) => one.orgId,
    (one) => one.userId,
    (one) => one.requestId,
    (one) => one.kind,
    (one) => one.model,
    (one) => one.purpose,
    (one) => one.priceId,
    (one) => one.minimumMicro,
    (one) => Math.max(one.minimumMicro, one.wantedMicro),
    (one) => one.estimateMicro,
  ];
  return columns.map((column) => all.map(column));
}

function reservedOf({ granted, whose, cap, used, held, ends }: ReserveRow): Reserved {
  const amounts = { whose, capMicro: cap, usedMicro: used, heldMicro: held };
  return { ...amounts, ...(granted === null ? {} : { grantedMicro: granted }), ...(ends === null ? {} : { periodEnd: ends }) };
}

/** One write of the disk for all that ends in that time; nobody's answer waits for it. */
const gatherMs = 20;

/** Runs `work` once for all who asked before it began. */
function createShared(work: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () =>
    (next ??= running
      .catch(() => undefined)
      .then(() => new Promise((resolve) => setTimeout(resolve, gatherMs)))
      .then(() => {
        next = undefined;
        const mine = work();
        running = mine;
        return mine.then(() => undefined);
      }));
}
