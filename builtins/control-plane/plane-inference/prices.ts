// Stores the prices of models with their versions. A price is never changed, so that every ledger entry can be explained.
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import { stableJson } from '#lib/values';
import type { PriceEntry } from './price.ts';

export interface PricedModel {
  readonly model: string;
  readonly priceId: number;
  readonly price: PriceEntry;
  readonly validFrom: Date;
}

export interface Prices {
  /** Returns the current price; `undefined` for a model that is not for sale. Changes made on other nodes apply within 2 s. */
  of(model: string): Promise<PricedModel | undefined>;
  all(): Promise<readonly PricedModel[]>;
  /** Activates prices from a given time. Resolves with the models whose price changes. @param prices `null` withdraws a model from sale */
  add(prices: ReadonlyMap<string, PriceEntry | null>, from?: Date): Promise<readonly string[]>;
}

/** Lifetime of cached prices in milliseconds. */
const freshMs = 2_000;

export function createPrices(database: Pick<Database, 'query' | 'transaction'>): Prices {
  let kept: { readonly at: number; readonly models: ReadonlyMap<string, PricedModel> } | undefined;
  let reading: Promise<ReadonlyMap<string, PricedModel>> | undefined;

  async function read(): Promise<ReadonlyMap<string, PricedModel>> {
    const at = performance.now();
    const rows = await database.query<{ model: string; id: number; price: PriceEntry | null; valid_from: Date }>(
      `select distinct on (model) model, id, nullif(price, 'null'::jsonb) as price, valid_from from inference_price
      where valid_from <= clock_timestamp() order by model, valid_from desc`,
    );
    const priced = rows.flatMap(({ model, id, price, valid_from: validFrom }) => (price ? [{ model, priceId: id, price, validFrom }] : []));
    const models = new Map(priced.map((one) => [one.model, one]));
    kept = { at, models };
    return models;
  }

  const refresh = (): Promise<ReadonlyMap<string, PricedModel>> => (reading ??= read().finally(() => (reading = undefined)));

  async function find(model: string): Promise<PricedModel | undefined> {
    const known = kept?.models.get(model);
    const isOld = !kept || performance.now() - kept.at > freshMs;
    if (!known) return isOld ? (await refresh()).get(model) : undefined;
    // No call waits for the refresh.
    if (isOld) refresh().catch(() => undefined);
    return known;
  }

  return {
    of: find,
    all: async () => [...(await refresh()).values()],
    async add(prices, from) {
      const known = await read();
      const changed = [...prices].filter(([model, price]) => stableJson(known.get(model)?.price ?? null) !== stableJson(price));
      await database.transaction(async (transaction) => {
        for (const [model, price] of changed)
          await transaction.query(
            `insert into inference_price (model, valid_from, price) values ($1, coalesce($2::timestamptz, clock_timestamp()), $3::jsonb)
            on conflict (model, valid_from) do nothing`,
            [model, from ?? null, JSON.stringify(price)],
          );
      });
      await read();
      return changed.map(([model]) => model);
    },
  };
}
