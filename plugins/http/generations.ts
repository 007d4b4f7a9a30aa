// Replaces the fastify instance after routes have changed: the next request builds a new instance, and the old one finishes its requests.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export interface Generations {
  /** Serves the request with the current routes. Rejects if there is no instance and building one fails. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Builds the instance if it is missing or outdated. */
  prepare(): Promise<void>;
  /** Marks the instance as outdated after routes have changed. */
  invalidate(): void;
  close(): void;
}

/** Time in milliseconds without a change before a new instance is built, because the routes of a plugin change one by one. */
const quietMs = 10;
/** Maximum delay of a new instance during a burst of changes, in milliseconds. */
const patienceMs = 100;

/** Creates the instance manager. @param onFault receives the error if building a new instance fails; the old one stays in use */
export function createGenerations(build: () => Promise<FastifyInstance>, onFault: (fault: unknown) => void): Generations {
  let current: Generation | undefined;
  let isStale = true;
  let changedAt = -Infinity;
  let building: Promise<void> | undefined;

  async function renew(): Promise<void> {
    while (isStale) {
      const begun = performance.now();
      while (performance.now() - changedAt < quietMs && performance.now() - begun < patienceMs) await sleep(quietMs);
      isStale = false;
      try {
        const app = await build();
        if (current) retire(current);
        current = { app, open: 0, isRetired: false };
      } catch (fault) {
        if (!current) {
          isStale = true;
          throw fault;
        }
        onFault(fault);
      }
    }
  }

  async function prepare(): Promise<void> {
    while (isStale || building) await (building ??= renew().finally(() => (building = undefined)));
  }

  return {
    async serve(request, response) {
      await prepare();
      const generation = current;
      if (!generation || response.destroyed) return;
      generation.open++;
      response.once('close', () => {
        generation.open--;
        closeWhenDone(generation);
      });
      generation.app.routing(request, response);
    },
    prepare,
    invalidate() {
      isStale = true;
      if (current) changedAt = performance.now();
    },
    close: () => current && retire(current),
  };
}

interface Generation {
  readonly app: FastifyInstance;
  /** Number of requests being served. */
  open: number;
  isRetired: boolean;
}

/** Closes a retired instance, which receives no new requests, after its last request. */
function closeWhenDone({ app, open, isRetired }: Generation): void {
  if (isRetired && open === 0) void app.close();
}

function retire(generation: Generation): void {
  generation.isRetired = true;
  closeWhenDone(generation);
}
