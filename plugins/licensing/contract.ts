// Tiers, licenses and entitlements.
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
  /** The organisation whose license it is. */
  readonly org?: string;
  /** For how many people. */
  readonly seats?: number;
  readonly message?: string;
  /** What to do about a license that is invalid. */
  readonly advice?: string;
}

export interface License {
  state(): LicenseState;
  account(): Account | null;
  /**
   * The token in force as it was issued; `undefined` where none is, and behind the days of grace. Whoever has it is that person to the
   * control plane. So it goes into the header `Authorization` of a request to `hubSite.controlPlane()`, over TLS or on this machine,
   * and nowhere else: into no log, error or its details, event, reply, prompt or file, also where the other side sends it back.
   */
  token(): Promise<string | undefined>;
  /** The state once the saved license has been read, which begins beside the start; before that, `state()` says `community`. */
  ready(): Promise<LicenseState>;
  /** Reads the saved license again, which another process may have changed, and puts it into force. */
  refresh(): Promise<LicenseState>;
  /** Verifies, saves (mode 0600) and puts into force. Rejects with `LICENSING_ERR_TOKEN_INVALID`: `License token is not valid`, and `advice` in its details. */
  apply(token: string, source: Account['source']): Promise<LicenseState>;
  /**
   * The claims of a document that the issuer of licenses signed for this purpose (a compact JWS whose `typ` is `policy+jws`); `undefined` for
   * anything else. Says nothing of the time, and nothing of whom it is for.
   * @param kind `policy`
   */
  verify(kind: string, document: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Deletes license and account files; the environment's token, where there is one, stays in force. */
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
