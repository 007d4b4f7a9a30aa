// Parses a license token: a compact JWS that is signed with Ed25519.
import { createPublicKey } from 'node:crypto';
import { compactVerify } from 'jose';
import { codeOf } from '#lib/errors';
import { isRecord } from '#lib/values';
import type { Tier } from './contract.ts';
import type { TokenFault } from './refusals.ts';
import { isTier } from './tiers.ts';

export interface LicenseClaims {
  readonly sub: string;
  readonly tier: Tier;
  /** Entitlements in addition to those of the tier. */
  readonly ent: readonly string[];
  /** Time of issue in seconds since 1970. */
  readonly iat: number;
  /** End of validity in seconds since 1970. */
  readonly exp: number;
  /** Start of validity in seconds since 1970. */
  readonly nbf?: number;
  readonly iss: string;
  /** Name of the licensed organisation; omitted for an individual. */
  readonly org?: string;
  /** Number of users. */
  readonly seats?: number;
}

const maximumLength = 16_384;
/** The latest time, in seconds since 1970, that a `Date` can represent. */
const latestSecond = 8.64e12;

/** Returns the claims of a token, or its fault: signed with an unknown key, or unreadable. Rejects if `publicKey` is not an Ed25519 key in PEM. */
export async function readLicenseToken(token: string, publicKey: string): Promise<LicenseClaims | TokenFault> {
  const key = toKey(publicKey);
  if (token.length > maximumLength) return 'unreadable';
  try {
    const { payload } = await compactVerify(token, key, { algorithms: ['EdDSA'] });
    return toClaims(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))) ?? 'unreadable';
  } catch (fault) {
    return codeOf(fault) === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' ? 'unknown_key' : 'unreadable';
  }
}

const longestDocument = 4 * 1024 * 1024;

/** Returns the content of a document signed for this purpose; `undefined` for any other document. Rejects if `publicKey` is not an Ed25519 key in PEM. */
export async function readSignedDocument(kind: string, document: string, publicKey: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const key = toKey(publicKey);
  if (document.length > longestDocument) return undefined;
  try {
    const { payload, protectedHeader } = await compactVerify(document, key, { algorithms: ['EdDSA'] });
    if (protectedHeader.typ !== `${kind}+jws`) return undefined;
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    return isRecord(claims) ? claims : undefined;
  } catch {
    return undefined; // any error means that the document was not signed for this purpose
  }
}

/** Parses a key. A setting on one line contains `\n` for line breaks, and some settings parsers keep the quotes. */
function toKey(pem: string): ReturnType<typeof createPublicKey> {
  if (pem.includes('PRIVATE KEY')) throw new Error('the setting contains a private key.');
  const unquoted = pem.trim().replace(/^(['"])(.*)\1$/s, '$2');
  const key = createPublicKey(unquoted.replaceAll('\\n', '\n'));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`the type of the key is ${key.asymmetricKeyType}.`);
  return key;
}

function toClaims(payload: unknown): LicenseClaims | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const { sub, tier, ent, iat, exp, nbf, iss, org, seats } = payload as Readonly<Record<string, unknown>>;
  if (!isText(sub) || !isText(iss) || !isSecond(iat) || !isSecond(exp) || !isTier(tier)) return undefined;
  if (iat > exp || (nbf !== undefined && !isSecond(nbf))) return undefined;
  // Ignores unreadable extra entitlements; the tier stays valid.
  const extras = Array.isArray(ent) ? ent.filter(isText) : [];
  return {
    sub,
    tier,
    ent: extras,
    iat,
    exp,
    ...(nbf === undefined ? {} : { nbf }),
    iss,
    ...(isText(org) ? { org } : {}),
    ...(isCount(seats) ? { seats } : {}),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isSecond(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= latestSecond;
}
