// Caches the available models of a chat: the server requests them from the provider, which takes time.
import type { Client, ReplyOf } from 'agent-harness/client';
import { withLimit } from '#lib/async';

export type ModelOffer = ReplyOf<'GET /api/models'>;

export interface ModelOffers {
  /** Returns the newest list that arrives within a short timeout; empty if none arrives. */
  read(): Promise<ModelOffer>;
  /** Calls the listener when the list arrives late or changes. */
  onChange(listener: () => void): void;
  /** Last known list, without a request. */
  readonly known: ModelOffer;
}

const keptMs = 60_000;
const patienceMs = 150;
const nothing: ModelOffer = { models: [], current: '' };

export function createModelOffers(client: Client): ModelOffers {
  const listeners = new Set<() => void>();
  let known = nothing;
  let askedAt = -Infinity;
  let asking: Promise<ModelOffer> | undefined;

  async function ask(): Promise<ModelOffer> {
    askedAt = Date.now();
    const before = JSON.stringify(known);
    try {
      known = await client.call('GET /api/models');
    } catch {
      askedAt = -Infinity; // the next call requests the list again
    }
    asking = undefined;
    if (JSON.stringify(known) !== before) for (const listener of listeners) listener();
    return known;
  }

  return {
    get known() {
      return known;
    },
    read() {
      if (Date.now() - askedAt > keptMs) asking ??= ask();
      return asking ? withLimit(asking, patienceMs, () => known) : Promise.resolve(known);
    },
    onChange: (listener) => void listeners.add(listener),
  };
}
