// Manages the known providers, and registers the tools of providers that have an account.
import type { Disposable, PointHandler, Registry } from 'agent-harness/kernel';
import { createSerialQueue } from '#lib/async';
import { messageOf } from '#lib/errors';
import type { Provider } from 'agent-harness/plugins/connections';
import type { Accounts } from './accounts.ts';
import type { IntegrationProvider } from './contract.ts';
import { createFamily } from './provider-family.ts';
import type { manifest } from './manifest.ts';

export interface ProviderRegistry {
  readonly point: PointHandler<IntegrationProvider>;
  find(id: string): IntegrationProvider | undefined;
  rows(): Promise<Provider[]>;
  /** Registers the tools of providers with an account, and removes the tools of the others. */
  offerTools(): Promise<void>;
  /** Resolves when no read is pending. */
  settle(): Promise<void>;
}

const idPattern = /^[a-z][a-z0-9-]{0,31}$/;
/** Route names that are not allowed as provider ids. */
const taken: readonly string[] = ['mcp', 'openapi', 'oauth'];

export function createProviderRegistry({
  registry,
  accounts,
}: {
  readonly registry: Registry<typeof manifest>;
  readonly accounts: Accounts;
}): ProviderRegistry {
  const known = new Map<string, IntegrationProvider>();
  const offered = new Map<string, Disposable>();
  let isReady = false;
  const offering = createSerialQueue();

  async function offer(): Promise<void> {
    const all = await accounts.all();
    if (registry.signal.aborted) return;
    for (const [id, provider] of known) {
      const isWanted = Object.hasOwn(all, id);
      if (isWanted && !offered.has(id)) offered.set(id, registry.add('tool_family', createFamily(provider, accounts, registry.signal)));
      if (!isWanted) withdraw(id);
    }
  }

  function withdraw(id: string): void {
    void offered.get(id)?.dispose();
    offered.delete(id);
  }

  function offerTools(): Promise<void> {
    isReady = true;
    return offering.run(offer).catch((fault: unknown) => registry.log.warn(`the tools of connected accounts cannot be offered: ${messageOf(fault)}`));
  }

  return {
    point: {
      validate({ id, origins }) {
        if (!idPattern.test(id) || taken.includes(id)) return `'${id}' cannot be the id of a provider`;
        if (known.has(id)) return `a provider '${id}' exists already`;
        return origins.every((origin) => URL.canParse(origin)) ? undefined : `the provider '${id}' has an origin that is not an address`;
      },
      added(provider) {
        known.set(provider.id, provider);
        if (isReady) void offerTools();
      },
      removed({ id }) {
        known.delete(id);
        withdraw(id);
      },
    },
    find: (id) => known.get(id),
    async rows() {
      const all = await accounts.all();
      return [...known.values()].map(({ id, title, kind }) => {
        const saved = Object.hasOwn(all, id) ? (all[id] ?? []) : [];
        return { id, title, kind, status: accounts.status(id, saved), accounts: saved.map((one) => accounts.shown(id, one)) };
      });
    },
    offerTools,
    settle: offering.idle,
  };
}
