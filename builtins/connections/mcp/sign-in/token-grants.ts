// Requests tokens without user interaction: with client credentials, or with a token from the user's identity provider.
import { createPrivateKeyJwtAuth } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import type { AddClientAuthentication, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import { isRecord } from '#lib/values';
import { cutLine } from '../server/foreign-text.ts';
import { createGuardedFetch } from '../transport/guarded-fetch.ts';
import type { OAuthSecrets, OAuthSetup } from './oauth-setup.ts';

const types = 'urn:ietf:params:oauth:token-type:';
const grants = 'urn:ietf:params:oauth:grant-type:';

/** Creates a signed assertion that is sent instead of a secret. */
export function signedBy({ clientId = '', algorithm = '' }: OAuthSetup, privateKey: string): AddClientAuthentication {
  return createPrivateKeyJwtAuth({ issuer: clientId, subject: clientId, privateKey, alg: algorithm });
}

/** @param discovered metadata of the token endpoint */
export async function requestToken(
  setup: OAuthSetup,
  secrets: OAuthSecrets,
  scope: string | undefined,
  discovered: { readonly state: OAuthDiscoveryState | undefined; readonly serverUrl: string },
): Promise<URLSearchParams> {
  const asked = scope === undefined ? {} : { scope };
  if (setup.kind === 'client_credentials') return new URLSearchParams({ grant_type: 'client_credentials', ...asked });
  const assertion = await exchangeIdToken(setup, secrets, scope, discovered);
  return new URLSearchParams({ grant_type: `${grants}jwt-bearer`, assertion, ...asked });
}

/** Exchanges the user's id token for an assertion for this server (RFC 8693). */
async function exchangeIdToken(
  { idpTokenEndpoint = '', idpClientId = '' }: OAuthSetup,
  { idToken = '', idpClientSecret }: OAuthSecrets,
  scope: string | undefined,
  { state, serverUrl }: { readonly state: OAuthDiscoveryState | undefined; readonly serverUrl: string },
): Promise<string> {
  const body = new URLSearchParams({
    grant_type: `${grants}token-exchange`,
    requested_token_type: `${types}id-jag`,
    subject_token: idToken,
    subject_token_type: `${types}id_token`,
    audience: state?.authorizationServerMetadata?.issuer ?? state?.authorizationServerUrl ?? new URL(serverUrl).origin,
    resource: state?.resourceMetadata?.resource ?? serverUrl,
    client_id: idpClientId,
    ...(idpClientSecret === undefined ? {} : { client_secret: idpClientSecret }),
    ...(scope === undefined ? {} : { scope }),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const endpoint = new URL(idpTokenEndpoint);
  const answer = await createGuardedFetch(endpoint, {})(endpoint, { method: 'POST', headers, body: body.toString() });
  const read: unknown = await answer.json().catch(() => undefined);
  const token = isRecord(read) ? read['access_token'] : undefined;
  if (answer.ok && typeof token === 'string') return token;
  const why = isRecord(read) ? [read['error'], read['error_description']].filter((part) => typeof part === 'string').join(': ') : '';
  throw new Error(`the identity provider does not exchange the token: ${cutLine(why, 300) || `it responded with status ${answer.status}`}`);
}
