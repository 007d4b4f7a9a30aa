// Evaluates a license at a given time, and computes the time of its next change. Pure.
import type { LicenseState } from './contract.ts';
import type { LicenseClaims } from './license-token.ts';
import { entitlementsOf } from './tiers.ts';

const dayMs = 86_400_000;
/** Maximum time, in milliseconds, by which the issuer's clock may be ahead of this clock. */
const clockDriftMs = 300_000;

export const communityState: LicenseState = { tier: 'community', status: 'community', entitlements: [] };
export const invalidState: LicenseState = { tier: 'community', status: 'invalid', entitlements: [], message: 'License token is not valid' };

export interface Evaluation {
  readonly state: LicenseState;
  /** Time of the next change in milliseconds since 1970; omitted if the result is final. */
  readonly changesAt?: number;
}

/** Returns the state of a license. @param now milliseconds since 1970 @param graceDays days after the expiry in which the features stay available */
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
    const message = `The license is valid from ${timeOf(starts + clockDriftMs)}.`;
    const advice = `The clock of this machine shows ${timeOf(now)}. If that is wrong, set the clock and try again.`;
    return { state: { ...invalidState, message, advice }, changesAt: starts };
  }
  if (now < expires) return { state: { ...licensed, status: 'active' }, changesAt: expires };
  if (now < ends) {
    const message = `The license expired on ${dateOf(expires)}. Its features stay available for ${graceDays} days after that date. Sign in again to renew it.`;
    return { state: { ...licensed, status: 'grace', message }, changesAt: ends };
  }
  const message = `The license expired on ${dateOf(expires)}. Sign in again to renew it.`;
  return { state: { tier: 'community', status: 'expired', entitlements: [], expiresAt, message } };
}

/** Formats a time including the minute, because a clock may be wrong by less than a day. */
function timeOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
