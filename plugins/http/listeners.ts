// Opens the further listeners of plugins while the server runs, and closes each with its plugin.
import type { PointHandler } from 'agent-harness/kernel';
import type { Listener } from 'agent-harness/plugins/http';
import type { Endpoint } from './endpoint.ts';

export interface ListenerParts {
  readonly open: (listener: Listener) => Promise<Endpoint>;
  readonly shut: (endpoint: Endpoint) => Promise<void>;
  /** Of one that cannot listen. */
  readonly onFault: (fault: unknown, listener: Listener) => void;
}

export interface Listeners {
  readonly handler: PointHandler<Listener>;
  /** From now on they listen. */
  start(parts: ListenerParts): Promise<void>;
  /** Resolves when none listens. */
  stop(): Promise<void>;
}

export function createListeners(): Listeners {
  /** Each with the work of opening it, if the server is there. */
  const listeners = new Map<Listener, Promise<Endpoint | undefined> | undefined>();
  let running: ListenerParts | undefined;

  async function open(listener: Listener, { open, onFault }: ListenerParts): Promise<Endpoint | undefined> {
    try {
      const endpoint = await open(listener);
      listener.opened?.(endpoint.address);
      return endpoint;
    } catch (fault) {
      onFault(fault, listener);
      return undefined;
    }
  }

  async function shut(opening: Promise<Endpoint | undefined> | undefined, parts: ListenerParts | undefined): Promise<void> {
    const endpoint = await opening;
    if (endpoint) await parts?.shut(endpoint);
  }

  return {
    handler: {
      validate: ({ ceiling }) =>
        typeof ceiling?.role === 'string' ? undefined : "a listener needs a 'ceiling': the most that anybody may who comes through it.",
      added: (listener) => void listeners.set(listener, running && open(listener, running)),
      removed(listener) {
        void shut(listeners.get(listener), running);
        listeners.delete(listener);
      },
    },
    async start(parts) {
      running = parts;
      const opening = [...listeners.keys()].map((listener) => [listener, open(listener, parts)] as const);
      for (const [listener, endpoint] of opening) listeners.set(listener, endpoint);
      await Promise.all(opening.map(([, endpoint]) => endpoint));
    },
    async stop() {
      const parts = running;
      running = undefined;
      await Promise.all([...listeners.values()].map((opening) => shut(opening, parts)));
      for (const listener of listeners.keys()) listeners.set(listener, undefined);
    },
  };
}
