// Reads ledger entries for display: receipts in pages, and the statement of a period.
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';

export interface Receipt {
  /** Id of the entry; ids increase. */
  readonly id: number;
  /** `x-hub-call` of the response. */
  readonly call: string;
  readonly at: string;
  readonly userId: string;
  readonly requestId: string;
  readonly kind: string;
  readonly model: string;
  readonly purpose: string;
  readonly heldMicro: number;
  readonly amountMicro: number;
  /** Provider's charge that the wallet could not pay. */
  readonly uncoveredMicro: number;
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
  /** Milliseconds of audio, or characters. */
  readonly units: number | null;
  readonly basis: string;
  readonly outcome: string;
  /** Id of the price that was applied. */
  readonly priceId: number;
}

export interface ReceiptFilter {
  readonly userId?: string;
  /** Start (inclusive) and end (exclusive). */
  readonly from?: Date;
  readonly to?: Date;
  /** Returns only entries with a lower id. */
  readonly before?: number;
}

export interface Receipts {
  /** Returns receipts, newest first. */
  page(orgId: string, filter: ReceiptFilter, limit: number): Promise<readonly Receipt[]>;
  total(orgId: string, filter: ReceiptFilter): Promise<{ readonly entries: number; readonly amountMicro: number; readonly newest: number }>;
}

const columns = `id, hold_id as call, at, user_id as "userId", request_id as "requestId", kind, model, purpose, held_micro as "heldMicro",
  amount_micro as "amountMicro", uncovered_micro as "uncoveredMicro", input_tokens as "inputTokens", cached_tokens as "cachedTokens",
  output_tokens as "outputTokens", units, basis, outcome, price_id as "priceId"`;
const conditions = `org_id = $1 and ($2::text is null or user_id = $2) and ($3::timestamptz is null or at >= $3) and ($4::timestamptz is null or at < $4)
  and ($5::bigint is null or id < $5)`;

export function createReceipts(database: Pick<Database, 'query'>): Receipts {
  const parameters = (orgId: string, { userId, from, to, before }: ReceiptFilter): unknown[] => [
    orgId,
    userId ?? null,
    from ?? null,
    to ?? null,
    before ?? null,
  ];
  return {
    async page(orgId, filter, limit) {
      const rows = await database.query<Omit<Receipt, 'at'> & { readonly at: Date }>(
        `select ${columns} from inference_entry where ${conditions} order by id desc limit $6`,
        [...parameters(orgId, filter), limit],
      );
      return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
    },
    async total(orgId, filter) {
      const [row] = await database.query<{ entries: number; amount: number; newest: number }>(
        `select count(*) as entries, coalesce(sum(amount_micro), 0)::bigint as amount, coalesce(max(id), 0) as newest from inference_entry where ${conditions}`,
        parameters(orgId, filter),
      );
      return { entries: row?.entries ?? 0, amountMicro: row?.amount ?? 0, newest: row?.newest ?? 0 };
    },
  };
}
