// Stores the OAuth clients that the operator registered at providers, with encrypted secrets.
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { PlaneKeys } from 'agent-harness/builtins/control-plane/plane-keys';
import type { Client } from './oauth-client.ts';

export interface Connectors {
  /** Returns the client ids by provider. */
  list(): Promise<ReadonlyMap<string, string>>;
  find(provider: string): Promise<Client | undefined>;
  /** Sets the client of a provider; without a secret, the previous secret remains. Resolves to `true` if a secret is stored. */
  set(provider: string, clientId: string, secret: string | undefined): Promise<boolean>;
  /** Removes the client of a provider; resolves to `true` if it existed. */
  remove(provider: string): Promise<boolean>;
}

const purpose = (provider: string): string => `connector ${provider}`;

export function createConnectors(database: Database, keys: PlaneKeys): Connectors {
  return {
    async list() {
      const rows = await database.query<{ provider: string; client_id: string }>('select provider, client_id from connector');
      return new Map(rows.map(({ provider, client_id: id }) => [provider, id]));
    },
    async find(provider) {
      const [row] = await database.query<{ client_id: string; sealed_secret: string }>('select client_id, sealed_secret from connector where provider = $1', [
        provider,
      ]);
      return row && { id: row.client_id, secret: await keys.unseal(row.sealed_secret, purpose(provider)) };
    },
    async set(provider, clientId, secret) {
      if (secret === undefined)
        return (
          (await database.query('update connector set client_id = $2, changed_at = now() where provider = $1 returning provider', [provider, clientId]))
            .length > 0
        );
      await database.query(
        `insert into connector (provider, client_id, sealed_secret) values ($1, $2, $3)
         on conflict (provider) do update set client_id = excluded.client_id, sealed_secret = excluded.sealed_secret, changed_at = now()`,
        [provider, clientId, await keys.seal(secret, purpose(provider))],
      );
      return true;
    },
    remove: async (provider) => (await database.query('delete from connector where provider = $1 returning provider', [provider])).length > 0,
  };
}
