// The further listeners of plugins: each is there while its plugin and the server are.
import type { PointHandler } from 'agent-harness/kernel';
import type { Listener } from 'agent-harness/plugins/http';
import type { Door } from './door.ts';

export interface ListenerParts {
  readonly open: (listener: Listener) => Promise<Door>;
  readonly shut: (door: Door) => Promise<void>;
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
  const listeners = new Map<Listener, Promise<Door | undefined> | undefined>();
  let running: ListenerParts | undefined;

  async function open(listener: Listener, { open, onFault }: ListenerParts): Promise<Door | undefined> {
    try {
      const door = await open(listener);
      listener.opened?.(door.address);
      return door;
    } catch (fault) {
      onFault(fault, listener);
      return undefined;
    }
  }

  async function shut(opening: Promise<Door | undefined> | undefined, parts: ListenerParts | undefined): Promise<void> {
    const door = await opening;
    if (door) await parts?.shut(door);
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
      for (const [listener, door] of opening) listeners.set(listener, door);
      await Promise.all(opening.map(([, door]) => door));
    },
    async stop() {
      const parts = running;
      running = undefined;
      await Promise.all([...listeners.values()].map((opening) => shut(opening, parts)));
      for (const listener of listeners.keys()) listeners.set(listener, undefined);
    },
  };
}
