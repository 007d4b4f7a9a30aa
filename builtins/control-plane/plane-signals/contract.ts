// Signals between the nodes of a control plane: they wake whoever waits, and carry nothing that may not be lost.
import type { Disposable } from 'agent-harness/kernel';

export interface Signals {
  /** To every node, this one included, at most once, in no promised order. @param payload JSON of at most 512 kB */
  publish(topic: string, payload: unknown): void;
  /** @param topic as in `bus.org_01H…`; `*` stands for one part */
  subscribe(topic: string, listener: (payload: unknown, topic: string) => void): Disposable;
  /** `lost`: other nodes hear nothing now, so readers look each second. */
  state(): 'in-process' | 'connected' | 'lost';
  /** Signals may have been missed: look again. */
  onRecovered(listener: () => void): Disposable;
}

declare module 'agent-harness/kernel' {
  interface Services {
    signals: Signals;
  }
}
