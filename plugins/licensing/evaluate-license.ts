// Evaluates a license at a given time, and computes the time of its next change. Pure.
import type { LicenseState } from './contract.ts';
import type { LicenseClaims } from './license-token.ts';
import { entitlementsOf } from './tiers.ts';

const dayMs = 86_400_000;
/** Tolerated lead of the issuer's clock, in milliseconds. */
const clockDriftMs = 300_000;

export const communityState: LicenseState = { tier: 'community', status: 'community', entitlements: [] };
export const invalidState: LicenseState = { tier: 'community', status: 'invalid', entitlements: [], message: 'License token is not valid' };

export interface Evaluation {
  readonly state: LicenseState;
  /** Milliseconds since 1970; left out if the result is final. */
  readonly changesAt?: number;
}

/** @param now milliseconds since 1970 */
export function evaluateLicense(claims: LicenseClaims, now: number, graceDays: number): Evaluation {
  const expires = claims.exp * 1_000;
  const ends = expires + graceDays * dayMs;
  const expiresAt = new Date(expires).toISOString();
  const { tier, org, seats } = claims;
  const holder = { ...(org === undefined ? {} : { org }), ...(seats === undefined ? {} : { seats }) };
  const issuedAt = new Date(claims.iat * 1_000).toISOString();
  const licensed = { tier, entitlements: entitlementsOf(tier, claims.ent), issuedAt, expiresAt, ...holder };
  const starts = Math.max(claims.nbf ?? 0, claims.iat) * 1_000 - clockDriftMs;
  if (now < starts) {
    const message = `The license counts from ${timeOf(starts + clockDriftMs)} on.`;
    const advice = `Here it is ${timeOf(now)}: if that is wrong, set the clock of this machine, and try again.`;
    return { state: { ...invalidState, message, advice }, changesAt: starts };
  }
  if (now < expires) return { state: { ...licensed, status: 'active' }, changesAt: expires };
  if (now < ends) {
    const message = `The license ran out on ${dateOf(expires)}; its features stay on for ${graceDays} days after that. Sign in again to renew it.`;
    return { state: { ...licensed, status: 'grace', message }, changesAt: ends };
  }
  const message = `The license ran out on ${dateOf(expires)}. Sign in again to renew it.`;
  return { state: { tier: 'community', status: 'expired', entitlements: [], expiresAt, message } };
}

/** Includes the minute, because a wrong clock may be off by less than a day. */
function timeOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
