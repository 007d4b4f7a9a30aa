// Stores pending OAuth connections of accounts between the consent page and the provider's redirect.
import { createHash, randomBytes } from 'node:crypto';
import { sha256 } from '#lib/hash';
import { recordIn } from '#lib/values';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { PlaneKeys } from 'agent-harness/builtins/control-plane/plane-keys';
import type { ConnectMode } from './contract.ts';

export interface PendingConnection {
  readonly provider: string;
  readonly userId: string;
  readonly mode: ConnectMode;
  /** Callback address of the service on the user's machine, and the state that this service generated. */
  readonly redirectUri: string;
  readonly serviceState: string;
}

export interface ConnectStates {
  /** Stores a pending connection, which can be used once within 10 minutes. Returns the state and the PKCE challenge for the provider. */
  begin(pending: PendingConnection): Promise<{ readonly state: string; readonly challenge: string }>;
  /** Returns the pending connection; `undefined` if the state is unknown, used, expired, or belongs to another provider or user. Invalidates the state. */
  use(state: string, provider: string, userId: string): Promise<(PendingConnection & { readonly verifier: string }) | undefined>;
}

const lifetime = "interval '10 minutes'";
/** Maximum number of pending connections per user; a new one replaces the oldest. */
const mostOpen = 32;

interface Row {
  readonly provider: string;
  readonly user_id: string;
  readonly mode: ConnectMode;
  readonly redirect_uri: string;
  readonly sealed: string;
  readonly is_due: boolean;
}

export function createConnectStates(database: Database, keys: PlaneKeys): ConnectStates {
  return {
    async begin({ provider, userId, mode, redirectUri, serviceState }) {
      const [state, verifier] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64url')) as [string, string];
      const hash = sha256(state);
      const sealed = await keys.seal(JSON.stringify({ serviceState, verifier }), `connect ${hash}`);
      await database.query(`delete from connect_state where made_at < now() - ${lifetime}`);
      await database.query(
        'delete from connect_state where state_hash in (select state_hash from connect_state where user_id = $1 order by made_at desc offset $2)',
        [userId, mostOpen - 1],
      );
      await database.query('insert into connect_state (state_hash, provider, user_id, mode, redirect_uri, sealed) values ($1, $2, $3, $4, $5, $6)', [
        ...[hash, provider, userId, mode, redirectUri, sealed],
      ]);
      return { state, challenge: createHash('sha256').update(verifier).digest('base64url') };
    },
    async use(state, provider, userId) {
      const hash = sha256(state);
      const [row] = await database.query<Row>(
        `delete from connect_state where state_hash = $1 returning provider, user_id, mode, redirect_uri, sealed, made_at < now() - ${lifetime} as is_due`,
        [hash],
      );
      if (!row || row.is_due || row.provider !== provider || row.user_id !== userId) return undefined;
      const { serviceState, verifier } = recordIn(await keys.unseal(row.sealed, `connect ${hash}`)) as {
        readonly serviceState: string;
        readonly verifier: string;
      };
      return { provider, userId, mode: row.mode, redirectUri: row.redirect_uri, serviceState, verifier };
    },
  };
}
