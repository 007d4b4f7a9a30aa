// Opens the additional listeners of plugins while the server is running, and closes each listener when its plugin is unloaded.
import type { PointHandler } from 'agent-harness/kernel';
import type { Listener } from 'agent-harness/plugins/http';

/** Opens a listener, and resolves with a function that closes it. Contract: never rejects. */
export type OpenListener = (listener: Listener) => Promise<() => Promise<void>>;

export interface Listeners {
  readonly handler: PointHandler<Listener>;
  /** Opens all listeners, and each listener that is added later. */
  start(open: OpenListener): Promise<void>;
  /** Closes all listeners; resolves when done. */
  stop(): Promise<void>;
}

export function createListeners(): Listeners {
  /** Maps each plugin listener to the function that closes it; `undefined` if the listener is not open. */
  const closers = new Map<Listener, ReturnType<OpenListener> | undefined>();
  let open: OpenListener | undefined;

  return {
    handler: {
      validate: ({ ceiling }) =>
        typeof ceiling?.role === 'string' ? undefined : "a listener needs a 'ceiling': the most rights of a client that connects through it.",
      added: (listener) => void closers.set(listener, open?.(listener)),
      removed(listener) {
        void closers.get(listener)?.then((close) => close());
        closers.delete(listener);
      },
    },
    async start(opener) {
      open = opener;
      const opening = [...closers.keys()].map((listener) => [listener, opener(listener)] as const);
      for (const [listener, closer] of opening) closers.set(listener, closer);
      await Promise.all(opening.map(([, closer]) => closer));
    },
    async stop() {
      open = undefined;
      const opened = [...closers.values()];
      for (const listener of closers.keys()) closers.set(listener, undefined);
      await Promise.all(opened.map(async (closer) => (await closer)?.()));
    },
  };
}
