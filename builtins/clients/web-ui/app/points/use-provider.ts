// Loads the configured model provider, once for all components.
import type { Client, ReplyOf } from 'agent-harness/client';
import { useClient, useStore } from '../kit/hooks.ts';
import { perObject } from '../kit/per-object.ts';
import { createListStore, type ListState } from './list-store.ts';
import { useKnownPermission } from './use-permission.ts';

type Provider = ReplyOf<'GET /api/provider'>;

const providerOf = perObject('provider', (client: Client) =>
  createListStore(client, async () => [await client.call('GET /api/provider')], ['settings_changed', 'provider_changed']),
);

const nothing: ListState<Provider> = { isLoaded: false, rows: [] };
const never = { get: () => nothing, subscribe: () => () => undefined };

/** Returns `undefined` until it is loaded, and for a page that may not read settings. */
export function useProvider(): Provider | undefined {
  const client = useClient();
  const mayRead = useKnownPermission('settings.read');
  return useStore(mayRead ? providerOf(client) : never).rows[0];
}
