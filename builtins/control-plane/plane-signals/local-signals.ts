// Implements publish/subscribe messaging within this process.
import type { Signals } from './contract.ts';

type Listener = Parameters<Signals['subscribe']>[1];

/** Calls listeners asynchronously. @param onFault called with an error of a listener */
export function createLocalSignals(onFault: (fault: unknown, topic: string) => void): Pick<Signals, 'publish' | 'subscribe'> {
  const listeners = new Map<string, Set<Listener>>();

  function receive(topic: string, payload: unknown): void {
    for (const [pattern, all] of listeners) {
      if (!fits(pattern, topic)) continue;
      for (const listener of [...all]) {
        try {
          listener(payload, topic);
        } catch (fault) {
          onFault(fault, topic);
        }
      }
    }
  }

  return {
    publish: (topic, payload) => queueMicrotask(() => receive(topic, payload)),
    subscribe(topic, listener) {
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(listener));
      return {
        dispose() {
          all.delete(listener);
          if (all.size === 0 && listeners.get(topic) === all) listeners.delete(topic);
        },
      };
    },
  };
}

function fits(pattern: string, topic: string): boolean {
  if (!pattern.includes('*')) return pattern === topic;
  const expected = pattern.split('.');
  const given = topic.split('.');
  return expected.length === given.length && expected.every((part, at) => part === '*' || part === given[at]);
}
