// Keys, tokens and a licensing plugin with stand-ins for its dependencies.
import { generateKeyPairSync, sign, createHmac, type KeyObject } from 'node:crypto';
import type { PluginModule } from 'agent-harness/kernel';
import * as licensing from '../../../../plugins/licensing/index.ts';
import { startRig, type Rig, type RigOptions } from '../settings/fake-platform.ts';

export interface Signer {
  readonly pem: string;
  readonly key: KeyObject;
  /** A token with default claims, overridden by `claims`; `undefined` omits a claim. */
  token(claims?: Record<string, unknown>, header?: Record<string, unknown>): string;
}

export const daySeconds = 86_400;
export const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

export function createSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    key: privateKey,
    token(claims = {}, header = {}) {
      const signed = signedPart({ alg: 'EdDSA', ...header }, fullClaims(claims));
      return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
    },
  };
}

export function unsignedToken(claims: Record<string, unknown> = {}): string {
  return `${signedPart({ alg: 'none' }, fullClaims(claims))}.`;
}

/** Signed with the public key text as a shared secret: the classic algorithm confusion attack. */
export function hmacToken(secret: string, claims: Record<string, unknown> = {}): string {
  const signed = signedPart({ alg: 'HS256' }, fullClaims(claims));
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function fullClaims(claims: Record<string, unknown>): object {
  const { exp = nowSeconds() + daySeconds } = claims as { exp?: number };
  // An expired token was issued earlier.
  return { sub: 'ada@example.org', tier: 'pro', iat: Math.min(nowSeconds(), exp - daySeconds), exp, iss: 'https://hub.example.invalid', ...claims };
}

function signedPart(header: object, claims: object): string {
  return [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}

export function startLicensing(signer: Signer, options: Partial<RigOptions> = {}): Promise<Rig> {
  const environment = { AGENT_LICENSE_PUBLIC_KEY: signer.pem, ...options.environment };
  return startRig({ ...options, environment, platform: { licensing: licensing as unknown as PluginModule<never>, ...options.platform } });
}
