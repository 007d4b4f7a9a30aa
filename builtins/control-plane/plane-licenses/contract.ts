// Defines the contract of licenses: a service's credential at the control plane, which also unlocks paid functions.
import type { Tier } from 'agent-harness/plugins/licensing';
import type { Query } from 'agent-harness/builtins/control-plane/plane-database';
import type { Member } from 'agent-harness/builtins/control-plane/plane-people';

export interface LicenseOrder {
  readonly orgId: string;
  readonly userId: string;
  /** Not above the plan; the plan's, now and at each renewal, when left out. */
  readonly tier?: Tier;
  /** 30 when left out; a negative number has expired before. */
  readonly days?: number;
  /** Name of the machine, as given by itself. */
  readonly device?: string;
}

export interface IssuedLicense {
  /** Compact JWS, as `plugins/licensing` reads it. */
  readonly token: string;
  /** Identifies it for as long as it is renewed. */
  readonly jti: string;
  readonly tier: Tier;
  readonly expiresAt: Date;
}

export interface PlaneLicenses {
  /**
   * Rejects with `PLANE_LICENSES_ERR_SEATS` if all seats of the organisation have a license, `PLANE_LICENSES_ERR_BEYOND_PLAN`, and
   * `PLANE_LICENSES_ERR_NOT_MEMBER`.
   */
  issue(order: LicenseOrder, transaction?: Query): Promise<IssuedLicense>;
  /**
   * The current member of an active license. Rejects with `PLANE_LICENSES_ERR_TOKEN_EXPIRED` and `PLANE_LICENSES_ERR_TOKEN_REVOKED`.
   * @param jti of a license whose token was verified before
   */
  holder(jti: string): Promise<Member>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    planeLicenses: PlaneLicenses;
  }
}
