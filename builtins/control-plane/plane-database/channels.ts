// Delivers database notifications to all listeners of a channel in this process.
import type { Disposable } from 'agent-harness/kernel';

export interface Channels {
  notify(channel: string, payload: string): void;
  listen(channel: string, listener: (payload: string) => void): Disposable;
  /** Adds a listener for the notifications of all channels. */
  listenAll(listener: (channel: string, payload: string) => void): Disposable;
}

export function createChannels(): Channels {
  const listeners = new Set<(channel: string, payload: string) => void>();
  const listenAll: Channels['listenAll'] = (listener) => {
    listeners.add(listener);
    return { dispose: () => void listeners.delete(listener) };
  };
  return {
    notify(channel, payload) {
      for (const listener of [...listeners]) queueMicrotask(() => listener(channel, payload));
    },
    listen: (own, listener) => listenAll((channel, payload) => void (channel === own && listener(payload))),
    listenAll,
  };
}
