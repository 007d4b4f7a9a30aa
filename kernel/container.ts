// Wraps awilix, in this file alone: provides, revokes and reads services.
import { asFunction, createContainer as createAwilix } from 'awilix';
import type { Disposable } from './types.ts';
import { kernelError } from './errors.ts';

type Factory = (cradle: any) => unknown;
interface Provision extends ProvideOptions {
  readonly owner: string;
}

export interface ProvideOptions {
  readonly dispose?: (value: any) => void | Promise<void>;
}

export interface Container {
  /** Throws `KRN_ERR_SERVICE_DUPLICATE`. The undo disposes the value where it was made. */
  provide(owner: string, key: string, factory: () => unknown, options?: ProvideOptions): Disposable;
  /** Throws `KRN_ERR_SERVICE_MISSING` or `KRN_ERR_SERVICE_GONE`. */
  resolve(key: string): unknown;
  has(key: string): boolean;
  trace(): string[];
}

export function createContainer(): Container {
  const root = createAwilix({ injectionMode: 'PROXY', strict: true });
  const provisions = new Map<string, Provision>();
  return {
    provide(owner, key, factory, options = {}) {
      const first = provisions.get(key);
      if (first) throw kernelError('SERVICE_DUPLICATE', { key, first: first.owner, second: owner });
      const provision: Provision = { ...options, owner };
      provisions.set(key, provision);
      root.register(key, asFunction<unknown>(factory as Factory).singleton());
      return {
        async dispose() {
          provisions.delete(key);
          // awilix has no unregister; a resolver that throws the reason replaces it, before anything is awaited.
          root.register(
            key,
            asFunction(() => {
              throw kernelError('SERVICE_GONE', { key, plugin: owner });
            }).transient(),
          );
          // awilix runs disposers in parallel, so the cached value is removed by hand.
          const cached = root.cache.get(key);
          root.cache.delete(key);
          if (cached) await provision.dispose?.(cached.value);
        },
      };
    },

    resolve(key) {
      if (!provisions.has(key) && !root.hasRegistration(key)) throw kernelError('SERVICE_MISSING', { key });
      return root.resolve(key);
    },
    has: (key) => provisions.has(key),
    trace: () => [...provisions].map(([key, one]) => `service:${key}@${one.owner}`),
  };
}
