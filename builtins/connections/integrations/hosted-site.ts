// The hosted site: where a sign-in begins, and who refreshes and revokes what only it may.
import type { HubSite } from 'agent-harness/builtins/account/hub';
import type { Http } from 'agent-harness/plugins/http';
import { createSignIns, type SignIn } from './sign-ins.ts';

export interface Refreshed {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAt?: string;
}

export interface HostedSite {
  begin(signIn: SignIn): { readonly connectUrl: string; readonly state: string };
  use(state: string): SignIn | undefined;
  isOrigin(origin: string): boolean;
  /** `POST {hub}/api/oauth/refresh`. Rejects with `NEEDS_SIGN_IN` where the site says that a person must sign in again, otherwise with `UNREACHABLE`. */
  refresh(provider: string, refreshToken: string): Promise<Refreshed>;
  /** `POST {hub}/api/oauth/revoke`, or the provider's own address. Answers whether it is revoked. */
  revoke(provider: string, token: string, revokeUrl?: string): Promise<boolean>;
}

export type MakeError = (
  reason: 'FORBIDDEN' | 'NOT_FOUND' | 'NOT_SERVING' | 'DISABLED' | 'NEEDS_SIGN_IN' | 'UNREACHABLE',
  details?: Record<string, string>,
  cause?: unknown,
) => Error;

const timeoutMs = 15_000;
/** What the site answers about a refresh token that is no longer good; any other status tells of the site, not of the account. */
const refused: readonly number[] = [400, 401, 403];

/** @param signal ends what is under way */
export function createHostedSite(
  { http, hubSite }: { readonly http: Http; readonly hubSite: HubSite | undefined },
  signal: AbortSignal,
  makeError: MakeError,
): HostedSite {
  const signIns = createSignIns();
  const siteUrl = (): string => {
    if (!hubSite) throw makeError('DISABLED');
    return hubSite.url();
  };

  async function post(url: string, body: string, contentType: string): Promise<Response> {
    const { default: fetch } = await import('cross-fetch');
    return fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': contentType, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
  }

  return {
    begin(signIn) {
      const address = http.address();
      if (!address) throw makeError('NOT_SERVING');
      const site = siteUrl();
      const state = signIns.begin(signIn);
      const query = new URLSearchParams({ state, mode: signIn.mode, redirect_uri: `http://127.0.0.1:${address.port}/api/integrations/oauth/handoff` });
      return { connectUrl: `${site}/connect/${signIn.provider}?${query.toString()}`, state };
    },
    use: (state) => signIns.use(state),
    isOrigin: (origin) => hubSite !== undefined && URL.canParse(hubSite.url()) && new URL(hubSite.url()).origin === origin,
    async refresh(provider, refreshToken) {
      const unreachable = (why: string, cause?: unknown): Error => makeError('UNREACHABLE', { provider, why }, cause);
      const url = `${siteUrl()}/api/oauth/refresh`;
      const reply = await post(url, JSON.stringify({ provider, refreshToken }), 'application/json').catch((fault: unknown) => {
        throw unreachable('it gave no answer', fault);
      });
      if (refused.includes(reply.status)) throw makeError('NEEDS_SIGN_IN', { provider, why: `the hosted site answered ${reply.status}` });
      if (!reply.ok) throw unreachable(`it answered ${reply.status}`);
      const {
        accessToken,
        refreshToken: next,
        expiresAt,
      } = await reply.json().then(asRecord, (fault: unknown) => {
        throw unreachable('its answer was no JSON', fault);
      });
      if (typeof accessToken !== 'string' || accessToken === '') throw unreachable('it answered without a token');
      return {
        accessToken,
        ...(typeof next === 'string' ? { refreshToken: next } : {}),
        ...(typeof expiresAt === 'string' && !Number.isNaN(Date.parse(expiresAt)) ? { expiresAt } : {}),
      };
    },
    async revoke(provider, token, revokeUrl) {
      try {
        const reply = await (revokeUrl === undefined
          ? post(`${siteUrl()}/api/oauth/revoke`, JSON.stringify({ provider, token }), 'application/json')
          : post(revokeUrl, new URLSearchParams({ token }).toString(), 'application/x-www-form-urlencoded'));
        return reply.ok;
      } catch {
        return false;
      }
    },
  };
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
