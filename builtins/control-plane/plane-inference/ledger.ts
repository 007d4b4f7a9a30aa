// Reserves credit before a model call and settles it once afterwards. Each operation is a single or batched statement, so the database makes the decision.
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
  /** Minimum credit with which the call is useful. */
  readonly minimumMicro: number;
  readonly wantedMicro: number;
  /** Amount that is charged if this node ends during the call. */
  readonly estimateMicro: number;
}

export interface Reserved {
  /** Granted credit, between the minimum and the requested amount; omitted if none is available. */
  readonly grantedMicro?: number;
  /** Owner of the limit that applies, which is the lower one. */
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
  /** Milliseconds of audio, or characters. */
  readonly units?: number;
  /** `usage`: reported tokens at the listed price; `cost`: the provider's charge; `estimate`: estimated from the delivered output. */
  readonly basis: 'usage' | 'cost' | 'estimate';
  /** `cut`: the provider or this control plane ended the response early; `left`: the caller disconnected. */
  readonly outcome: 'complete' | 'cut' | 'left';
}

export interface Settled {
  /** Whether this call settled the reservation; if not, the amounts are those of the first settlement. */
  readonly isFirst: boolean;
  readonly amountMicro: number;
  /** Cost that the wallet could not pay. */
  readonly uncoveredMicro: number;
  /** 80 or 95: the percentage of the cap that has been reached; reported once per period. */
  readonly warning?: 80 | 95;
}

export interface Ledger {
  /** Reserves credit for a call if the wallet has enough. */
  reserve(reservation: Reservation): Promise<Reserved>;
  /** Writes the ledger entry of a call and ends its reservation. */
  settle(holdId: string, settlement: Settlement): Promise<Settled>;
  /** Releases an unused reservation. Resolves to `true` if this call released it. */
  release(holdId: string): Promise<boolean>;
  /** Updates the current cost of running calls, which keeps their reservations valid. */
  touch(calls: readonly { readonly holdId: string; readonly estimateMicro: number }[]): Promise<void>;
  /** Ends expired reservations up to the limit. Resolves with the number of ended reservations. */
  sweep(most: number): Promise<number>;
  /**
   * Removes reservations that ended the given number of days ago, up to the limit; their ledger entries stay. Resolves with the number of removed reservations.
   */
  forget(days: number, most: number): Promise<number>;
}

/** @param holdMs lifetime of a reservation without an update, in milliseconds; read on every use */
export function createLedger(database: Pick<Database, 'query' | 'transaction'>, holdMs: () => number): Ledger {
  /** Flushes earlier commits to disk. Callers that arrive during a flush share the next one. */
  const flush = createShared(() => database.query("select pg_logical_emit_message(true, 'inference', '')"));

  /** Locks each row once per batch, so that many simultaneous calls need only a few statements. */
  const reserve = createBatches<Reservation, Reserved>(async (all) => {
    const rows = await database.query<ReserveRow>(
      `select r.* from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::bigint[], $10::bigint[],
        $11::bigint[]) with ordinality as c(hold, org, member, request, kind, model, purpose, price, minimum, wanted, estimate, at)
      cross join lateral inference_reserve(c.hold, c.org, c.member, c.request, c.kind, c.model, c.purpose, c.price, c.minimum, c.wanted, c.estimate, $12) r
      order by c.at`,
      [...columnsOf(all), holdMs()],
    );
    return rows.map(reservedOf);
  }, maxBatchSize);

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
        // Ends one reservation at a time, because two nodes that lock wallets in different orders would deadlock.
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

const maxBatchSize = 64;

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

/** Time in milliseconds during which settlements are collected for one disk write; no response waits for it. */
const gatherMs = 20;

/** Runs `work` once for all callers that arrived before it started. */
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
