// Keeps the one transport of this plugin, loaded when the first request needs it.
import type { ModelTransport } from './contract.ts';

export interface TransportSlot {
  load(): Promise<ModelTransport>;
  /** Ends every connection, if there was ever one. */
  dispose(): Promise<void>;
}

export function createTransportSlot(userAgent: string): TransportSlot {
  let loading: Promise<ModelTransport & { dispose(): void }> | undefined;
  const load = async (): Promise<ModelTransport & { dispose(): void }> => (await import('./transport.ts')).createTransport(userAgent);
  return {
    load: () => (loading ??= load()),
    async dispose() {
      (await loading)?.dispose();
    },
  };
}
