// Provides metrics and consistency checks of managed inference for the operator.
import { countWithNoun } from '#lib/text';
import type { PlaneCheck, PlaneMetric } from 'agent-harness/builtins/control-plane/plane-serve';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import { credits, type Calls } from './calls.ts';
import type { CreditQueue } from './credit-queue.ts';
import type { Drains } from './drains.ts';
import type { Prices } from './prices.ts';

const uncoveredDays = 30;
/** Maximum number of wallets in a message; the operator can find others in the ledger. */
const shownWallets = 5;

export interface InferenceHealthParts {
  readonly database: Pick<Database, 'query'>;
  readonly calls: Pick<Calls, 'open' | 'figures'>;
  readonly queue: Pick<CreditQueue, 'waiting'>;
  readonly drains: Pick<Drains, 'open'>;
  readonly prices: Pick<Prices, 'all'>;
  readonly settings: { readonly upstreamUrl: string };
}

export function inferenceMetrics({ calls, queue, drains }: InferenceHealthParts): readonly PlaneMetric[] {
  return [
    { name: 'plane_inference_calls', help: 'Running calls.', type: 'gauge', read: () => calls.figures().open },
    { name: 'plane_inference_waiting', help: 'Calls that wait for credit reserved by other calls.', type: 'gauge', read: () => queue.waiting() },
    { name: 'plane_inference_read_on', help: 'Responses that are read after their caller disconnected.', type: 'gauge', read: () => drains.open() },
    {
      name: 'plane_inference_calls_total',
      help: 'Ended calls by outcome.',
      type: 'counter',
      read: () => Object.entries(calls.figures().ended).map(([ending, value]) => ({ labels: { ending }, value })),
    },
    { name: 'plane_inference_micro_credits_total', help: 'Settled cost in micro-credits.', type: 'counter', read: () => calls.figures().settledMicro },
    {
      name: 'plane_inference_uncovered_micro_credits_total',
      help: 'Cost in micro-credits that the wallets could not pay and the operator bears.',
      type: 'counter',
      read: () => calls.figures().uncoveredMicro,
    },
  ];
}

export function inferenceChecks({ database, prices, settings }: InferenceHealthParts): readonly PlaneCheck[] {
  return [
    {
      name: 'inference-ledger',
      async look() {
        const off = await database.query<{ org_id: string }>('select org_id from inference_audit');
        if (off.length === 0) return { state: 'fine', message: 'The wallets match the sums of their entries and holds.' };
        return {
          state: 'failed',
          message: `The wallets of ${off.map(({ org_id: id }) => id).join(', ')} do not match the sums of their entries and holds. Check the view inference_audit in the database.`,
        };
      },
    },
    {
      name: 'inference-uncovered',
      async look() {
        const found = await database.query<{ org_id: string; calls: number; micro: number }>(
          `select org_id, count(*) as calls, sum(uncovered_micro)::bigint as micro from inference_entry
           where uncovered_micro > 0 and at > now() - make_interval(days => $1) group by org_id order by micro desc limit $2`,
          [uncoveredDays, shownWallets],
        );
        if (found.length === 0) return { state: 'fine', message: `The wallets paid the full cost of all calls in the last ${uncoveredDays} days.` };
        const list = found.map(({ org_id: id, calls, micro }) => `${id}: ${credits(micro)} credits of ${countWithNoun(calls, 'call')}`);
        return {
          state: 'warning',
          message: `In the last ${uncoveredDays} days, calls cost more than their wallets could pay, and the operator bears the rest (${list.join('; ')}). Compare the prices with the provider's, and raise the caps.`,
        };
      },
    },
    {
      name: 'inference-provider',
      async look() {
        if (settings.upstreamUrl === '') return { state: 'fine', message: 'No model provider is set, so no managed inference is offered.' };
        if ((await prices.all()).length === 0) return { state: 'warning', message: "No model has a price, so none is offered. Set prices with 'prices FILE'." };
        return { state: 'fine', message: 'A model provider is set, and models have prices.' };
      },
    },
  ];
}
