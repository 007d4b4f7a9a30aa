// The conversation with an identity provider: OpenID Connect by code, with state, nonce and PKCE.
import type * as Openid from 'openid-client';
import type { Configuration } from 'openid-client';
import { codeOf } from 'agent-harness/lib/errors';
import { fetchOutgoing } from 'agent-harness/lib/whole-fetch';
import type { SsoProvider } from './settings.ts';
import type { MakeError } from './sso-errors.ts';

export interface Begun {
  /** Where the browser goes. */
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Who the provider says it is, signed by it for us. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Where the provider says that it is theirs; no proof of who it is. */
  readonly verifiedEmail?: string;
}

export interface ProviderClient {
  /** Rejects with `PROVIDER_UNREACHABLE`, `PROVIDER_REFUSED`. */
  begin(provider: SsoProvider, redirectUri: string): Promise<Begun>;
  /** @param answered the address that the browser came back to. Rejects with `PROVIDER_UNREACHABLE`, `PROVIDER_REFUSED`. */
  end(provider: SsoProvider, answered: URL, begun: Pick<Begun, 'state' | 'nonce' | 'verifier'>): Promise<Identity>;
}

const timeoutSeconds = 10;
/** Clocks of providers differ. */
const toleranceSeconds = 60;
const maxReplyBytes = 1024 * 1024;

export function createProviderClient(allowsPlain: (url: URL) => boolean, makeError: MakeError): ProviderClient {
  /** Asked anew for each sign-in: these are few, and a provider that changed its keys is believed at once. */
  async function discover({ issuer, clientId, clientSecret }: SsoProvider): Promise<{ oidc: typeof Openid; config: Configuration }> {
    const oidc = await import('openid-client');
    const server = new URL(issuer);
    const config = await oidc.discovery(
      server,
      clientId,
      { ...(clientSecret === undefined ? {} : { client_secret: clientSecret }), [oidc.clockTolerance]: toleranceSeconds },
      clientSecret === undefined ? oidc.None() : undefined,
      {
        timeout: timeoutSeconds,
        [oidc.customFetch]: (url, options) => boundedFetch(url, options as RequestInit),
        execute: [oidc.enableNonRepudiationChecks, ...(allowsPlain(server) ? [oidc.allowInsecureRequests] : [])],
      },
    );
    return { oidc, config };
  }

  return {
    async begin(provider, redirectUri) {
      try {
        const { oidc, config } = await discover(provider);
        const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
        const url = oidc.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: 'openid email',
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        return { url: url.href, state, nonce, verifier };
      } catch (fault) {
        throw explain(fault, makeError);
      }
    },
    async end(provider, answered, { state, nonce, verifier }) {
      try {
        const { oidc, config } = await discover(provider);
        const tokens = await oidc.authorizationCodeGrant(config, answered, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new Error('there is no ID token');
        // Many providers put the address into the reply of userinfo alone.
        const isElsewhere = claims['email'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
        const about = isElsewhere ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub) : claims;
        const isVerified = about['email_verified'] === true && typeof about['email'] === 'string';
        return { issuer: claims.iss, subject: claims.sub, ...(isVerified ? { verifiedEmail: String(about['email']).trim().toLowerCase() } : {}) };
      } catch (fault) {
        throw explain(fault, makeError);
      }
    },
  };
}

/** What a provider says is not shown; what kind of fault it is, is. */
function explain(fault: unknown, makeError: MakeError): Error {
  const { status } = fault as { readonly status?: unknown };
  const code = codeOf(fault) ?? '';
  const response = (fault as { readonly cause?: unknown }).cause;
  const answered = response instanceof Response ? response.status : typeof status === 'number' ? status : 0;
  const isAway = fault instanceof TypeError || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || answered >= 500 || answered === 404;
  return isAway ? makeError('PROVIDER_UNREACHABLE', {}, fault) : makeError('PROVIDER_REFUSED', { why: whyOf(code) }, fault);
}

function whyOf(code: string): string {
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return 'it ended the sign-in.';
  if (code === 'OAUTH_RESPONSE_BODY_ERROR') return 'it does not know this sign-in, or not this client.';
  if (/CLAIM|TIMESTAMP|INVALID_RESPONSE|KEY_SELECTION|JWT/.test(code)) return 'what it signed is not for this sign-in.';
  return 'its answer is not as it should be.';
}

/** A reply that does not end must not fill the memory. */
async function boundedFetch(url: string, options: RequestInit): Promise<Response> {
  const reply = await fetchOutgoing(url, options);
  if (!reply.body) return reply;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of reply.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > maxReplyBytes) throw new TypeError('the reply is too large');
    parts.push(part);
  }
  const isEmpty = reply.status === 204 || reply.status === 304;
  return new Response(isEmpty ? null : Buffer.concat(parts), { status: reply.status, statusText: reply.statusText, headers: reply.headers });
}
