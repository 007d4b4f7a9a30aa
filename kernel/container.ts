// Provides, revokes and reads services. No other module uses awilix.
import { asFunction, createContainer as createAwilix } from 'awilix';
import type { Disposable } from './types.ts';
import { kernelError } from './errors.ts';

export type Container = ReturnType<typeof createContainer>;

export function createContainer() {
  const root = createAwilix({ injectionMode: 'PROXY', strict: true });
  /** Name of the providing plugin by service key. */
  const owners = new Map<string, string>();
  return {
    /** Registers a service that is created when it is first read. The returned disposable revokes it, and calls `dispose` with the value if it was created. */
    provide(owner: string, key: string, factory: () => unknown, dispose?: (value: any) => void | Promise<void>): Disposable {
      const first = owners.get(key);
      if (first !== undefined) throw kernelError('SERVICE_DUPLICATE', { key, first, second: owner });
      owners.set(key, owner);
      root.register(key, asFunction(factory).singleton());
      const gone = (): never => {
        throw kernelError('SERVICE_GONE', { key, plugin: owner });
      };
      return {
        async dispose() {
          owners.delete(key);
          // awilix cannot unregister a service. A resolver that throws the reason replaces the service before anything is awaited.
          root.register(key, asFunction(gone).transient());
          // awilix runs disposers in parallel, so the cached value is removed here.
          const cached = root.cache.get(key);
          root.cache.delete(key);
          if (cached) await dispose?.(cached.value);
        },
      };
    },

    /** Returns the service. Throws `KRN_ERR_SERVICE_MISSING` or `KRN_ERR_SERVICE_GONE`. */
    resolve(key: string): unknown {
      if (!root.hasRegistration(key)) throw kernelError('SERVICE_MISSING', { key });
      return root.resolve(key);
    },
    has: (key: string): boolean => owners.has(key),
    trace: () => [...owners].map(([key, owner]) => `service:${key}@${owner}`),
  };
}
