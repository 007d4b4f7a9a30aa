// Combines the connections of all contributed sources, and skips sources that fail.
import type { PointHandler } from 'agent-harness/kernel';
import type { Connection, ConnectionSource, Provider } from './contract.ts';

export interface Sources {
  readonly point: PointHandler<ConnectionSource>;
  /** Returns the connections, sorted by kind and name. */
  connections(): Promise<Connection[]>;
  /** Returns the providers, sorted by title. */
  providers(): Promise<Provider[]>;
}

/** Creates the combined list of sources. @param onFault called for a source that cannot list its connections */
export function createSources(onFault: (name: string, fault: unknown) => void): Sources {
  const sources = new Set<ConnectionSource>();

  async function collect<T>(list: (source: ConnectionSource) => readonly T[] | Promise<readonly T[]> | undefined): Promise<T[]> {
    const lists = [...sources].map(async (source) => {
      try {
        return (await list(source)) ?? [];
      } catch (fault) {
        onFault(source.name, fault);
        return [];
      }
    });
    return (await Promise.all(lists)).flat();
  }

  return {
    point: {
      validate: ({ name }) => ([...sources].some((other) => other.name === name) ? `there is already a source of connections named '${name}'` : undefined),
      added: (source) => void sources.add(source),
      removed: (source) => void sources.delete(source),
    },
    async connections() {
      const all = await collect((source) => source.connections?.());
      return all.sort((a, b) => compare(a.kind, b.kind) || compare(a.name, b.name));
    },
    async providers() {
      const all = await collect((source) => source.providers?.());
      return all.sort((a, b) => compare(a.title, b.title));
    },
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
