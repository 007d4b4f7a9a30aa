// Swaps the fastify instance after a change of routes: the next request builds a new one, and the old one finishes its requests.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export interface Generations {
  /** Serves the request with the routes there are now. Rejects if there is no instance and none can be built. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Builds the instance now if it is missing or outdated. */
  prepare(): Promise<void>;
  /** The routes changed. */
  invalidate(): void;
  close(): void;
}

/** The routes of a plugin come and go within a few turns of the event loop: an instance is built when there was no change for so long. */
const quietMs = 10;
/** At most so long a burst of changes delays the new instance. */
const patienceMs = 100;

/** @param onFault receives the error if a new instance cannot be built; the old one stays in use */
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
        const made = createGeneration(await build());
        current?.retire();
        current = made;
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
    if (isStale) building ??= renew().finally(() => (building = undefined));
    await building;
  }

  return {
    async serve(request, response) {
      await prepare();
      if (!response.destroyed) current?.serve(request, response);
    },
    prepare,
    invalidate() {
      isStale = true;
      if (current) changedAt = performance.now();
    },
    close: () => current?.retire(),
  };
}

interface Generation {
  serve(request: IncomingMessage, response: ServerResponse): void;
  /** Closes the instance after its last request. Contract: receives no further requests. */
  retire(): void;
}

function createGeneration(app: FastifyInstance): Generation {
  let open = 0;
  let isRetired = false;
  const closeWhenIdle = (): void => {
    if (isRetired && open === 0) void app.close();
  };
  return {
    serve(request, response) {
      open++;
      response.once('close', () => {
        open--;
        closeWhenIdle();
      });
      app.routing(request, response);
    },
    retire() {
      isRetired = true;
      closeWhenIdle();
    },
  };
}
