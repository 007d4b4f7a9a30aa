// Defines the contract of signals between nodes: they wake waiting readers, and carry only data that may be lost.
import type { Disposable } from 'agent-harness/kernel';

export interface Signals {
  /** To every node, including this one, at most once, in no guaranteed order. @param payload JSON of at most 512 kB */
  publish(topic: string, payload: unknown): void;
  /** @param topic such as `bus.org_01H…`; `*` stands for one part */
  subscribe(topic: string, listener: (payload: unknown, topic: string) => void): Disposable;
  /** `lost`: other nodes currently receive nothing, so readers poll each second. */
  state(): 'in-process' | 'connected' | 'lost';
  /** Signals may have been missed: check again. */
  onRecovered(listener: () => void): Disposable;
}

declare module 'agent-harness/kernel' {
  interface Services {
    signals: Signals;
  }
}
