// The calls about connections to elsewhere, and about trust in what a folder brings with it.
import type { Client } from 'agent-harness/client';

export type ConnectionKind = 'mcp' | 'openapi';

export interface Connection {
  readonly name: string;
  readonly kind: ConnectionKind;
  /** `connected`, `connecting`, `failed`, `needs_sign_in`, `needs_trust`. */
  readonly status: string;
  readonly toolCount: number;
  /** Where somebody signs in, or gives more rights, while that is open. */
  readonly authorizeUrl?: string;
  readonly error?: string;
}

export interface ProviderAccount {
  readonly accountId: string;
  readonly email?: string;
  readonly name?: string;
  readonly mode: 'read_write' | 'read_only';
  readonly healthy: boolean;
  readonly reachable?: boolean;
}

export interface Provider {
  readonly id: string;
  readonly title: string;
  /** What it is: `code host`, `notes app`, … */
  readonly kind: string;
  /** `connected`, `disconnected`, `unhealthy`, `unreachable`. */
  readonly status: string;
  readonly accounts: readonly ProviderAccount[];
}

export interface Integrations {
  readonly providers: readonly Provider[];
  readonly connections: readonly Connection[];
}

/** Something that a folder brings with it and that counts only once a person trusts it. */
export interface TrustSubject {
  readonly name: string;
  readonly title: string;
  /** Exactly what would be read or run. */
  readonly detail: string;
  readonly digest: string;
  readonly isTrusted: boolean;
}

export interface WorkspaceTrust {
  readonly workspaceRoot: string;
  readonly subjects: readonly TrustSubject[];
}

export type McpAuth = { readonly kind: 'bearer'; readonly token: string } | { readonly kind: 'oauth' };

export interface McpServer {
  readonly name: string;
  readonly url?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly auth?: McpAuth;
  readonly autoApproveReads?: boolean;
}

export type ApiAuth =
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'header' | 'query' | 'cookie'; readonly name: string; readonly value: string }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string };

export interface ApiDocument {
  readonly name: string;
  readonly specUrl?: string;
  readonly spec?: string;
  readonly baseUrl?: string;
  readonly auth?: ApiAuth;
}

export interface Added {
  readonly toolCount: number;
  /** Tools that were left out, and why. */
  readonly error?: string;
  /** Somebody must sign in there first. */
  readonly authorizeUrl?: string;
}

interface ConnectionCalls {
  (key: 'GET /api/integrations', input: { readonly signal: AbortSignal }): Promise<Integrations>;
  (
    key: 'GET /api/integrations/:provider/begin',
    input: { readonly params: { readonly provider: string }; readonly query: { readonly mode: ProviderAccount['mode'] } },
  ): Promise<{ readonly connectUrl: string }>;
  (
    key: 'DELETE /api/integrations/:provider',
    input: { readonly params: { readonly provider: string }; readonly query: { readonly accountId: string; readonly revoke: '0' | '1' } },
  ): Promise<{ readonly revoked: boolean }>;
  (key: 'POST /api/integrations/mcp', input: { readonly body: McpServer }): Promise<Added>;
  (key: 'POST /api/integrations/openapi', input: { readonly body: ApiDocument }): Promise<Added>;
  (key: `DELETE /api/integrations/${ConnectionKind}/:name`, input: { readonly params: { readonly name: string } }): Promise<unknown>;
  (key: 'GET /api/workspace/trust', input: { readonly query: { readonly chatId?: string }; readonly signal: AbortSignal }): Promise<WorkspaceTrust>;
  (
    key: 'POST /api/workspace/trust',
    input: { readonly body: { readonly chatId?: string; readonly name: string; readonly digest: string; readonly isTrusted: boolean } },
  ): Promise<WorkspaceTrust>;
}

/** Most of the routes are those of plugins that a distribution may leave out, so the generated types need not know them. */
export function connectionCalls(client: Client): ConnectionCalls {
  return client.call as unknown as ConnectionCalls;
}
