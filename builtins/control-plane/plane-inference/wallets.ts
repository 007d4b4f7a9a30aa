// Manages the wallets of organisations: their terms, which the operator sets, and their current state.
import type { Database, Query } from 'agent-harness/builtins/control-plane/plane-database';
import type { MemberCap, WalletState, Wallets, WalletTerms } from './contract.ts';

interface WalletRow {
  readonly cap_micro: number;
  readonly used_micro: number;
  readonly held_micro: number;
  readonly period_start: Date;
  readonly period_end: Date | null;
}

const columns = 'cap_micro, used_micro, held_micro, period_start, period_end';

export function createWallets(database: Database): Wallets {
  return {
    async state(orgId) {
      // Locks the row only when a new period starts.
      const [row] = await database.query<WalletRow>(`select ${columns} from inference_wallet where org_id = $1`, [orgId]);
      if (!row) return stateOf({ cap_micro: 0, used_micro: 0, held_micro: 0, period_start: new Date(), period_end: null });
      if (!row.period_end || row.period_end.getTime() > Date.now()) return stateOf(row);
      return stateOf((await database.query<WalletRow>(`select ${columns} from inference_lock($1)`, [orgId]))[0] ?? row);
    },
    async memberState(orgId, userId) {
      const [row] = await database.query<WalletRow>('select cap_micro, used_micro, held_micro from inference_member_cap where org_id = $1 and user_id = $2', [
        orgId,
        userId,
      ]);
      return row && { capMicro: row.cap_micro, usedMicro: row.used_micro, heldMicro: row.held_micro };
    },
    memberCaps: (orgId) =>
      database.query<MemberCap>(
        `select c.user_id as "userId", c.cap_micro as "capMicro", c.used_micro as "usedMicro", c.held_micro as "heldMicro" from inference_member_cap c
         join membership m on m.org_id = c.org_id and m.user_id = c.user_id where c.org_id = $1 order by c.user_id`,
        [orgId],
      ),
    set: (orgId, terms) => database.transaction((transaction) => setWallet(orgId, terms, transaction)),
    setMemberCap: (orgId, userId, capMicro, after = () => Promise.resolve()) =>
      database.transaction(async (transaction) => {
        await ensureWallet(orgId, transaction);
        await transaction.query('select org_id from inference_lock($1)', [orgId]);
        if (capMicro === undefined) {
          await transaction.query('delete from inference_member_cap where org_id = $1 and user_id = $2', [orgId, userId]);
          return after(transaction);
        }
        await transaction.query(
          `insert into inference_member_cap (org_id, user_id, cap_micro, used_micro, held_micro) select w.org_id, $2, $3,
            (select coalesce(sum(amount_micro), 0)::bigint from inference_entry where org_id = $1 and user_id = $2 and period_start = w.period_start),
            (select coalesce(sum(amount_micro), 0)::bigint from inference_hold where org_id = $1 and user_id = $2 and state = 'held')
          from inference_wallet w where w.org_id = $1
          on conflict (org_id, user_id) do update set cap_micro = excluded.cap_micro`,
          [orgId, userId, capMicro],
        );
        await after(transaction);
      }),
  };
}

/** Changes the terms of a wallet inside a transaction of the caller. */
export async function setWallet(
  orgId: string,
  { capMicro = null, period = null, timeZone = null }: Nullable<WalletTerms>,
  transaction: Query,
): Promise<WalletState> {
  await ensureWallet(orgId, transaction);
  await transaction.query('select org_id from inference_lock($1)', [orgId]);
  // Keeps the usage, because a changed period length does not start a new period.
  const [row] = await transaction.query<WalletRow>(
    `update inference_wallet set cap_micro = coalesce($2, cap_micro), period = coalesce($3, period), time_zone = coalesce($4, time_zone),
      period_end = case when coalesce($3, period) = 'month' then inference_month(coalesce($4, time_zone), '1 month') end
    where org_id = $1 returning ${columns}`,
    [orgId, capMicro, period, timeZone],
  );
  if (!row) throw new Error('the wallet does not exist');
  return stateOf(row);
}

type Nullable<T> = { readonly [K in keyof T]?: T[K] | null };

async function ensureWallet(orgId: string, transaction: Query): Promise<void> {
  await transaction.query(
    `insert into inference_wallet (org_id, cap_micro, period, period_end) values ($1, 0, 'month', inference_month('UTC', '1 month')) on conflict do nothing`,
    [orgId],
  );
}

function stateOf({
  cap_micro: capMicro,
  used_micro: usedMicro,
  held_micro: heldMicro,
  period_start: periodStart,
  period_end: periodEnd,
}: WalletRow): WalletState {
  const remainingMicro = Math.max(0, capMicro - usedMicro - heldMicro);
  return { capMicro, usedMicro, heldMicro, remainingMicro, periodStart, ...(periodEnd ? { periodEnd } : {}) };
}
