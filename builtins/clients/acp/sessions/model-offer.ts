// The models that a chat may use, asked for once in a while: the server asks the provider, and that takes its time.
import type { Client, ReplyOf } from 'agent-harness/client';
import { withLimit } from 'agent-harness/lib/async';

export type ModelOffer = ReplyOf<'GET /api/models'>;

export interface ModelOffers {
  /** The newest that is known within a moment; no models where none came in time. */
  read(): Promise<ModelOffer>;
  /** Calls back with one that came late, or is another one than before. */
  onChange(listener: () => void): void;
  /** Without asking. */
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
      askedAt = -Infinity; // the next one who wants to know asks again
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
