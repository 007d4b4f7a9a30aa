// Defines the contract of signals: publish/subscribe messaging between the nodes of a control plane, for data whose loss is acceptable.
import type { Disposable } from 'agent-harness/kernel';

export interface Signals {
  /** Sends a signal to every node, including this one, at most once and in no guaranteed order. @param payload JSON of at most 512 kB */
  publish(topic: string, payload: unknown): void;
  /** Adds a listener for a topic. @param topic such as `bus.org_01H…`; `*` matches one segment */
  subscribe(topic: string, listener: (payload: unknown, topic: string) => void): Disposable;
  /** Returns the state of the connection to other nodes. `lost`: other nodes receive no signals, so readers poll every second. */
  state(): 'in-process' | 'connected' | 'lost';
  /** Adds a listener that is called when signals may have been missed, so that readers check again. */
  onRecovered(listener: () => void): Disposable;
}

declare module 'agent-harness/kernel' {
  interface Services {
    signals: Signals;
  }
}
