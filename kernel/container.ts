// The only file that knows awilix: providing, revoking and reading services, and child scopes.
import { asFunction, asValue, createContainer as createAwilix, type AwilixContainer } from 'awilix';
import type { Disposable, ServiceScope } from './contracts.ts';
import { kernelError } from './errors.ts';

type Factory = (cradle: any) => unknown;
interface Provision extends ProvideOptions {
  readonly owner: string;
}

export interface ProvideOptions {
  readonly lifetime?: 'singleton' | 'scoped';
  readonly dispose?: (value: any) => void | Promise<void>;
}

export interface Container {
  /** Throws `KRN_ERR_SERVICE_DUPLICATE`. The undo disposes the value where it was made. */
  provide(owner: string, key: string, factory: () => unknown, options?: ProvideOptions): Disposable;
  /** Throws `KRN_ERR_SERVICE_MISSING` or `KRN_ERR_SERVICE_GONE`. */
  resolve(key: string): unknown;
  has(key: string): boolean;
  openScope(label: string): ServiceScope;
  closeScopes(): Promise<void>;
  trace(): string[];
}

export function createContainer(): Container {
  const root = createAwilix({ injectionMode: 'PROXY', strict: true });
  const provisions = new Map<string, Provision>();
  const scopes = new Map<ServiceScope, AwilixContainer>();

  function resolveFrom(container: AwilixContainer, key: string): unknown {
    if (!provisions.has(key) && !container.hasRegistration(key)) throw kernelError('SERVICE_MISSING', { key });
    return container.resolve(key);
  }

  /** awilix runs disposers in parallel and forgets child scopes, so the cached value is taken out by hand. */
  async function disposeCached(container: AwilixContainer, key: string, provision: Provision): Promise<void> {
    const cached = container.cache.get(key);
    container.cache.delete(key);
    if (cached) await provision.dispose?.(cached.value);
  }

  /** All of them, also when one fails; then rejects with the first fault. */
  async function inTurn(works: readonly (() => Promise<void>)[]): Promise<void> {
    const faults: unknown[] = [];
    for (const work of works) await work().catch((fault: unknown) => faults.push(fault));
    if (faults.length > 0) throw faults[0];
  }

  return {
    provide(owner, key, factory, options = {}) {
      const first = provisions.get(key);
      if (first) throw kernelError('SERVICE_DUPLICATE', { key, first: first.owner, second: owner });
      const provision: Provision = { ...options, owner };
      provisions.set(key, provision);
      const resolver = asFunction<unknown>(factory as Factory);
      root.register(key, provision.lifetime === 'scoped' ? resolver.scoped() : resolver.singleton());
      return {
        async dispose() {
          provisions.delete(key);
          // awilix has no unregister; a resolver that says why stands in its place, before anything is awaited.
          root.register(
            key,
            asFunction(() => {
              throw kernelError('SERVICE_GONE', { key, plugin: owner });
            }).transient(),
          );
          await inTurn([...scopes.values(), root].map((one) => () => disposeCached(one, key, provision)));
        },
      };
    },

    resolve: (key) => resolveFrom(root, key),
    has: (key) => provisions.has(key),

    openScope(label) {
      const child = root.createScope();
      child.register('scopeLabel', asValue(label));
      const scope: ServiceScope = {
        resolve: (key) => resolveFrom(child, key) as never,
        async close() {
          if (!scopes.delete(scope)) return;
          const scoped = [...provisions].reverse().filter(([, provision]) => provision.lifetime === 'scoped');
          const disposeOf = (key: string, provision: Provision) => (): Promise<void> => disposeCached(child, key, provision);
          await inTurn(scoped.map(([key, provision]) => disposeOf(key, provision)));
        },
      };
      scopes.set(scope, child);
      return scope;
    },

    closeScopes: () => inTurn([...scopes.keys()].reverse().map((scope) => () => scope.close())),

    trace() {
      return [...[...provisions].map(([key, one]) => `service:${key}@${one.owner}`), ...(scopes.size > 0 ? [`scopes:${scopes.size}`] : [])];
    },
  };
}
