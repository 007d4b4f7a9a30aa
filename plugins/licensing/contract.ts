// Defines the contract of licensing: tiers, licenses and entitlements.
import type { EntitlementSource } from 'agent-harness/kernel';

export type Tier = 'community' | 'pro' | 'team' | 'enterprise';
export type LicenseStatus = 'community' | 'active' | 'grace' | 'expired' | 'invalid';

export interface Account {
  readonly email: string;
  readonly tier: Tier;
  readonly source: 'browser' | 'environment';
  readonly connectedAt: string;
}

export interface LicenseState {
  readonly tier: Tier;
  readonly status: LicenseStatus;
  readonly entitlements: readonly string[];
  /** ISO 8601. */
  readonly issuedAt?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  /** Name of the licensed organisation. */
  readonly org?: string;
  /** Number of users. */
  readonly seats?: number;
  readonly message?: string;
  /** Advice for the user, as a sentence, if the license is invalid. */
  readonly advice?: string;
}

export interface License {
  state(): LicenseState;
  account(): Account | null;
  /**
   * Returns the current token as issued; `undefined` without a token, and after the grace period. The token authenticates the user to the control plane. Send
   * it only in the `Authorization` header of a request to `hubSite.controlPlane()`, over TLS or on this machine. No log, error, event, reply, prompt or file
   * may contain the token, even if the control plane sends it back.
   */
  token(): Promise<string | undefined>;
  /** Resolves with the state as soon as the saved license has been read; the read begins at startup. Before that, `state()` returns `community`. */
  ready(): Promise<LicenseState>;
  /** Reads the saved license again, because another process may have changed it, and applies it. */
  refresh(): Promise<LicenseState>;
  /**
   * Verifies, saves (mode 0600) and applies the token. Rejects with `LICENSING_ERR_TOKEN_INVALID`: `License token is not valid`, with `advice` in the details.
   */
  apply(token: string, source: Account['source']): Promise<LicenseState>;
  /**
   * Returns the claims of a document that the license issuer signed for this purpose (a compact JWS whose `typ` is `policy+jws`); `undefined` for
   * any other document. Checks neither time nor audience.
   * @param kind purpose of the document, for example `policy`
   */
  verify(kind: string, document: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Deletes the license and account files; a token from the environment stays in effect. */
  clear(): Promise<LicenseState>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    entitlements: EntitlementSource;
    license: License;
  }
  interface Entitlements {
    'pro.cloud_sync': true;
    'pro.session_history': true;
    'pro.managed_inference': true;
    'team.shared_memory': true;
    'team.audit_log': true;
    'team.rbac': true;
    'team.fleet_config': true;
    'team.policy_governance': true;
    'enterprise.sso': true;
    'enterprise.self_host': true;
  }
  interface Events {
    account_changed: { readonly tier: Tier; readonly status: LicenseStatus; readonly entitlements: readonly string[] };
  }
}
