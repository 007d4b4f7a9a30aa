// Loads the HTTP transport of the models plugin on the first request, and closes it.
import type { ModelTransport } from './contract.ts';

export interface TransportSlot {
  load(): Promise<ModelTransport>;
  /** Ends all connections, if the transport was loaded. */
  dispose(): Promise<void>;
}

/** Creates the slot. @param report receives notices about a base URL, see {@link createTransport} */
export function createTransportSlot(userAgent: string, report: (message: string) => void): TransportSlot {
  let loading: Promise<ModelTransport & { dispose(): void }> | undefined;
  const load = async (): Promise<ModelTransport & { dispose(): void }> => (await import('./transport.ts')).createTransport(userAgent, report);
  return {
    load: () => (loading ??= load()),
    async dispose() {
      (await loading)?.dispose();
    },
  };
}
