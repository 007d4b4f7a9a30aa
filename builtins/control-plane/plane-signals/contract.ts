// Defines the contract of signals between nodes: they wake waiting readers, and carry only data that may be lost.
import type { Disposable } from 'agent-harness/kernel';

export interface Signals {
  /** Sends to every node, including this one, at most once, in no guaranteed order. @param payload JSON of at most 512 kB */
  publish(topic: string, payload: unknown): void;
  /** @param topic such as `bus.org_01H…`; `*` matches one part */
  subscribe(topic: string, listener: (payload: unknown, topic: string) => void): Disposable;
  /** `lost`: other nodes receive no signals, so readers poll each second. */
  state(): 'in-process' | 'connected' | 'lost';
  /** Called when signals may have been missed, so that readers check again. */
  onRecovered(listener: () => void): Disposable;
}

declare module 'agent-harness/kernel' {
  interface Services {
    signals: Signals;
  }
}
