// Stores one model adapter per wire format, and loads each adapter on its first request.
import type { KernelError, PointHandler } from 'agent-harness/kernel';
import type { ModelAdapter, ModelAdapterEntry, ModelRoute, ModelTransport } from './contract.ts';

export interface AdapterParts {
  loadTransport(): Promise<ModelTransport>;
  error(reason: 'NO_ADAPTER', details: Readonly<Record<string, unknown>>, cause?: unknown): KernelError;
}

export interface Adapters {
  readonly point: PointHandler<ModelAdapterEntry>;
  has(this: void, wire: ModelRoute['wire']): boolean;
  /** Returns the adapter of a wire format, loaded on first use. After a failure, the next call loads it again. */
  of(this: void, wire: ModelRoute['wire']): Promise<ModelAdapter>;
}

export function createAdapters({ loadTransport, error }: AdapterParts): Adapters {
  const slots = new Map<ModelAdapterEntry['wire'], { entry: ModelAdapterEntry; owner: string; loaded?: Promise<ModelAdapter> }>();

  return {
    has: (wire) => slots.has(wire),
    async of(wire) {
      const slot = slots.get(wire);
      if (!slot) throw error('NO_ADAPTER', { wire });
      slot.loaded ??= loadTransport().then((transport) => slot.entry.load(transport));
      try {
        return await slot.loaded;
      } catch (cause) {
        delete slot.loaded;
        throw error('NO_ADAPTER', { wire }, cause);
      }
    },
    point: {
      validate(entry, owner) {
        const taken = slots.get(entry.wire);
        return (
          taken &&
          `the wire '${entry.wire}' has two adapters, '${taken.entry.name}' of '${taken.owner}' and '${entry.name}' of '${owner}'; disable one of these plugins.`
        );
      },
      added: (entry, owner) => void slots.set(entry.wire, { entry, owner }),
      removed: (entry) => void slots.delete(entry.wire),
    },
  };
}
