// Caches the model lists of endpoints for ten minutes, and checks keys against endpoints.
import { BoundedMap } from '#lib/values';
import { messageOf } from '#lib/errors';
import { shownAddress } from '#lib/hosts';
import type { ListedModel, ModelAdapter, ModelFault, ModelList, ModelRequest, ModelRoute, ModelSink } from './contract.ts';
import { runAttempt } from './attempt.ts';
import type { Clock } from './retry.ts';

export interface CatalogParts {
  adapterFor(wire: ModelRoute['wire']): Promise<ModelAdapter>;
  /** Called with each new list. */
  listed(route: ModelRoute, models: readonly ListedModel[]): void;
  readonly clock: Clock;
  /** Aborted when the plugin unloads. */
  readonly signal: AbortSignal;
}

export interface Catalog {
  /** Returns the models of the endpoint. Never rejects. */
  list(route: ModelRoute): Promise<ModelList>;
  /** Returns the size of the context window in tokens, if a fetched list contains it. */
  lengthOf(route: ModelRoute): number | undefined;
  /** Returns the price in USD per million tokens, if a fetched list contains it. */
  priceOf(route: ModelRoute): ListedModel['price'];
  /** Returns the announced shutdown date, if a fetched list contains one. */
  shutdownOf(route: ModelRoute): string | undefined;
  /** Requests the list of an endpoint once. Never rejects. @param ms time limit in milliseconds */
  listOnce(route: ModelRoute, ms: number): Promise<readonly ListedModel[] | ModelFault>;
  /** Tests a key. Returns the models that are available with it, or the fault if the endpoint rejects the key. */
  tryKey(route: ModelRoute): Promise<readonly ListedModel[] | ModelFault>;
}

interface Kept {
  readonly at: number;
  readonly key: string | undefined;
  readonly answer: Promise<ListedModel[] | ModelFault>;
}

const keptMs = 10 * 60 * 1_000;
const limitMs = 15_000;
const mostEndpoints = 16;
const silent: ModelSink = { text: ignore, reasoning: ignore, toolCall: ignore, toolArgs: ignore };
const trial: ModelRequest = { system: '', messages: [{ role: 'user', text: 'Say: ok' }], tools: [], maxTokens: 16, purpose: 'try' };

export function createCatalog({ adapterFor, listed: note, clock, signal }: CatalogParts): Catalog {
  const kept = new BoundedMap<string, Kept>(mostEndpoints);
  const lengths = new Map<string, number>();
  const prices = new Map<string, ListedModel['price']>();
  const shutdowns = new Map<string, string>();
  const keyOf = ({ baseURL, model }: Pick<ModelRoute, 'baseURL' | 'model'>): string => `${baseURL} ${model}`;

  async function ask(route: ModelRoute, ms = limitMs): Promise<ListedModel[] | ModelFault> {
    if (route.unusable) return { ok: false, kind: 'refused', message: route.unusable.message };
    try {
      const adapter = await adapterFor(route.wire);
      if (!adapter.list) return { ok: false, kind: 'refused', message: 'the wire has no list of models' };
      const answer = await adapter.list(route, AbortSignal.any([signal, AbortSignal.timeout(ms)]));
      if ('ok' in answer) return answer;
      for (const { id, contextLength, price, shutdownOn } of answer) {
        if (contextLength !== undefined) lengths.set(keyOf({ ...route, model: id }), contextLength);
        if (shutdownOn !== undefined) shutdowns.set(keyOf({ ...route, model: id }), shutdownOn);
        if (price !== undefined) prices.set(keyOf({ ...route, model: id }), price);
      }
      note(route, answer);
      return answer;
    } catch (fault) {
      return { ok: false, kind: 'transient', message: messageOf(fault) };
    }
  }

  async function listed(route: ModelRoute): Promise<ListedModel[] | ModelFault> {
    const { baseURL, apiKey: key } = route;
    const known = kept.get(baseURL);
    if (known && known.key === key && clock.now() - known.at < keptMs) return known.answer;
    const mine: Kept = { at: clock.now(), key, answer: ask(route) };
    kept.set(baseURL, mine);
    const answer = await mine.answer;
    // A fault is not cached, because it may be transient.
    if ('ok' in answer && kept.get(baseURL) === mine) kept.delete(baseURL);
    return answer;
  }

  async function askModel(route: ModelRoute): Promise<ModelFault | undefined> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    try {
      const { outcome } = await runAttempt(await adapterFor(route.wire), trial, route, silent, { idleMs: limitMs, clock, signal: limit });
      return outcome.ok ? undefined : outcome;
    } catch (fault) {
      return { ok: false, kind: 'transient', message: messageOf(fault) };
    }
  }

  return {
    async list(route) {
      const current = route.model;
      if (route.wire === 'demo')
        return { models: [], reason: 'No key is configured, so the built-in demo is used. Set a key to see the models of its provider.', current };
      const answer = await listed(route);
      if (route.unusable) return { models: [], reason: route.unusable.message, current };
      if ('ok' in answer) return { models: [], reason: `${shownAddress(answer.url ?? route.baseURL)} returned no list of models: ${answer.message}`, current };
      return { models: answer, current, ...(answer.length === 0 ? { reason: `${shownAddress(route.baseURL)} lists no models.` } : {}) };
    },
    listOnce: ask,
    shutdownOf: (route) => shutdowns.get(keyOf(route)),
    priceOf: (route) => prices.get(keyOf(route)),
    lengthOf: (route) => lengths.get(keyOf(route)),
    async tryKey(route) {
      const answer = await ask(route);
      const isListed = !('ok' in answer);
      if (!isListed && answer.kind !== 'refused' && answer.kind !== 'bad_reply') return answer;
      const { apiKey: _, ...keyless } = route;
      // A public list does not prove that the key is valid.
      const isProof = isListed && 'ok' in (await ask(keyless));
      const fault = isProof ? undefined : await askModel(route);
      // These faults concern the model or the request, not the key.
      if (fault && fault.kind !== 'refused' && fault.kind !== 'empty' && fault.kind !== 'overflow') return fault;
      return isListed ? answer : [];
    },
  };
}

function ignore(): void {}
