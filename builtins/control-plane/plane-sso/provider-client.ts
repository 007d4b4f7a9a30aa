// Implements the OpenID Connect exchange with an identity provider: authorization code with state, nonce and PKCE.
import type * as Openid from 'openid-client';
import type { Configuration } from 'openid-client';
import { codeOf } from '#lib/errors';
import { headerFields, fetchGuarded, responseOf } from '#lib/guarded-fetch';
import { reachOf } from '#lib/net';
import type { SsoProvider } from './settings.ts';
import type { MakeError } from './sso-errors.ts';

export interface Begun {
  /** Address for the browser's redirect. */
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The identity in a token that the provider issued to this control plane. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** E-mail address that the provider has verified; not a proof of identity. */
  readonly verifiedEmail?: string;
}

export interface ProviderClient {
  /** Starts a sign-in at the provider. Rejects with `PROVIDER_UNREACHABLE`, `PROVIDER_REFUSED`. */
  begin(provider: SsoProvider, redirectUri: string): Promise<Begun>;
  /**
   * Exchanges the returned code for the identity. Rejects with `PROVIDER_UNREACHABLE`, `PROVIDER_REFUSED`.
   * @param answered the address to which the provider redirected the browser
   */
  end(provider: SsoProvider, answered: URL, begun: Pick<Begun, 'state' | 'nonce' | 'verifier'>): Promise<Identity>;
}

/** Timeout of a request to a provider in seconds. */
const timeoutSeconds = 10;
/** Tolerated difference between the clocks of provider and control plane. */
const toleranceSeconds = 60;
/** Maximum size of a reply in bytes. */
const limit = 1024 * 1024;
const addressRefused = 'PLANE_SSO_ERR_ADDRESS_REFUSED';

export interface ProviderClientParts {
  /** Resolves to `true` if an organisation may use a provider inside the network of this control plane. */
  readonly mayBeInside: (orgId: string) => Promise<boolean>;
  readonly allowsPlain: (url: URL) => boolean;
  readonly makeError: MakeError;
}

export function createProviderClient({ mayBeInside, allowsPlain, makeError }: ProviderClientParts): ProviderClient {
  /** Reads the configuration of the provider. It is not cached: sign-ins are rare, and new keys must apply immediately. */
  async function discover({ orgId, issuer, clientId, clientSecret }: SsoProvider): Promise<{ oidc: typeof Openid; config: Configuration }> {
    const oidc = await import('openid-client');
    const server = new URL(issuer);
    const isInside = await mayBeInside(orgId);
    const config = await oidc.discovery(
      server,
      clientId,
      { ...(clientSecret === undefined ? {} : { client_secret: clientSecret }), [oidc.clockTolerance]: toleranceSeconds },
      clientSecret === undefined ? oidc.None() : undefined,
      {
        timeout: timeoutSeconds,
        [oidc.customFetch]: (url, options) => guardedFetch(url, options as RequestInit, isInside, makeError),
        execute: [oidc.enableNonRepudiationChecks, ...(isInside && allowsPlain(server) ? [oidc.allowInsecureRequests] : [])],
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
        // Many providers return the e-mail address only in the userinfo reply.
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

/** Returns an error that states the kind of failure, but not the provider's message. */
function explain(fault: unknown, makeError: MakeError): Error {
  const refused = [fault, (fault as { readonly cause?: unknown }).cause].find((one) => codeOf(one) === addressRefused);
  if (refused instanceof Error) return refused;
  const { status } = fault as { readonly status?: unknown };
  const code = codeOf(fault) ?? '';
  const response = (fault as { readonly cause?: unknown }).cause;
  const answered = response instanceof Response ? response.status : typeof status === 'number' ? status : 0;
  const isAway = fault instanceof TypeError || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || answered >= 500 || answered === 404;
  return isAway ? makeError('PROVIDER_UNREACHABLE', {}, fault) : makeError('PROVIDER_REFUSED', { why: whyOf(code) }, fault);
}

function whyOf(code: string): string {
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return 'it cancelled the sign-in.';
  if (code === 'OAUTH_RESPONSE_BODY_ERROR') return 'it does not recognise this sign-in or this client.';
  if (/CLAIM|TIMESTAMP|INVALID_RESPONSE|KEY_SELECTION|JWT/.test(code)) return 'its signed token is not for this sign-in.';
  return 'its response is not valid.';
}

/**
 * Checks each address before connecting: an organisation chooses the issuer and the addresses in its discovery document, and the reply must not reveal open
 * ports.
 */
async function guardedFetch(url: string, options: RequestInit, isInside: boolean, makeError: MakeError): Promise<Response> {
  let refused: Error | undefined;
  const judge = (address: string): Error | undefined => {
    const reach = reachOf(address);
    return reach === 'public' || (isInside && reach !== undefined) ? undefined : (refused = makeError('ADDRESS_REFUSED'));
  };
  const { method = 'GET', body = null, signal = null } = options;
  const request = { method, body, signal, headers: headerFields(new Headers(options.headers)) };
  const answer = await fetchGuarded(new URL(url), request, { judge, limit }).catch((fault: unknown) => {
    throw refused ?? (signal?.aborted === true ? fault : new TypeError('the request failed', { cause: fault }));
  });
  if (answer.isCut) throw new TypeError('the reply is too large');
  return responseOf(answer);
}
