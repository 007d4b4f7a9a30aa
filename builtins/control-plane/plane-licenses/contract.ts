// Defines the contract of licenses. A license is a service's credential at the control plane, and also unlocks paid features.
import type { Tier } from 'agent-harness/plugins/licensing';
import type { Query } from 'agent-harness/builtins/control-plane/plane-database';
import type { Member } from 'agent-harness/builtins/control-plane/plane-people';

export interface LicenseOrder {
  readonly orgId: string;
  readonly userId: string;
  /** At most the tier of the plan; default: the tier of the plan when the license is issued or renewed. */
  readonly tier?: Tier;
  /** Lifetime in days; default 30; a negative number creates an expired license. */
  readonly days?: number;
  /** Name that the machine reports for itself. */
  readonly device?: string;
}

export interface IssuedLicense {
  /** Compact JWS in the format of `plugins/licensing`. */
  readonly token: string;
  /** Identifies the license across renewals. */
  readonly jti: string;
  readonly tier: Tier;
  readonly expiresAt: Date;
}

export interface PlaneLicenses {
  /**
   * Issues a license. Rejects with `PLANE_LICENSES_ERR_SEATS` if all seats of the organisation are licensed, `PLANE_LICENSES_ERR_BEYOND_PLAN`, and
   * `PLANE_LICENSES_ERR_NOT_MEMBER`.
   */
  issue(order: LicenseOrder, transaction?: Query): Promise<IssuedLicense>;
  /**
   * Returns the member of an active license. Rejects with `PLANE_LICENSES_ERR_TOKEN_EXPIRED` and `PLANE_LICENSES_ERR_TOKEN_REVOKED`.
   * @param jti id of a license whose token has already been verified
   */
  holder(jti: string): Promise<Member>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    planeLicenses: PlaneLicenses;
  }
}
