// Calls the hosted site to start sign-ins and to refresh and revoke tokens.
import type { ControlPlane, HubSite, PlaneReply } from 'agent-harness/builtins/account/hub';
import { codeOf, messageOf } from '#lib/errors';
import { isRecord, recordIn } from '#lib/values';
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
  /**
   * Refreshes a token with `POST /api/connect/:provider/refresh` of the control plane. Rejects with `NEEDS_SIGN_IN` if the provider refuses the token,
   * otherwise with `UNREACHABLE`, because other errors do not concern the account.
   */
  refresh(provider: string, refreshToken: string): Promise<Refreshed>;
  /** Revokes tokens with `POST /api/connect/:provider/revoke`, or at the provider itself. Resolves with `true` if the provider confirmed this. */
  revoke(
    provider: string,
    tokens: { readonly accessToken?: string | undefined; readonly refreshToken?: string | undefined },
    revokeUrl?: string,
  ): Promise<boolean>;
}

export type MakeError = (
  reason: 'FORBIDDEN' | 'NOT_FOUND' | 'NOT_SERVING' | 'DISABLED' | 'NEEDS_SIGN_IN' | 'UNREACHABLE',
  details?: Record<string, string>,
  cause?: unknown,
) => Error;

const timeoutMs = 15_000;
const maxReplyBytes = 64 * 1024;
/** Timeout in milliseconds; equal to the timeout that the control plane sets for the provider. */
const planeMs = 25_000;

/** @param signal aborts running requests */
export function createHostedSite(
  { http, hubSite, controlPlane }: { readonly http: Http; readonly hubSite: HubSite | undefined; readonly controlPlane: ControlPlane | undefined },
  signal: AbortSignal,
  makeError: MakeError,
): HostedSite {
  const signIns = createSignIns();
  const siteUrl = (): string => {
    if (!hubSite) throw makeError('DISABLED');
    return hubSite.url();
  };

  function ask(provider: string, what: 'refresh' | 'revoke', body: object): Promise<PlaneReply> {
    if (!controlPlane) throw makeError('DISABLED');
    return controlPlane.request({ method: 'POST', path: `/api/connect/${provider}/${what}`, body, signal, timeoutMs: planeMs });
  }

  async function revokeDirectly(url: string, token: string): Promise<boolean> {
    const { fetchComplete, textOfAnswer } = await import('#lib/complete-fetch');
    const reply = await fetchComplete(url, {
      method: 'POST',
      body: new URLSearchParams({ token }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const { ok } = recordIn(await textOfAnswer(reply, maxReplyBytes).catch(() => ''));
    return reply.ok && ok !== false;
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
      const { body } = await ask(provider, 'refresh', { refreshToken }).catch((fault: unknown): never => {
        signal.throwIfAborted();
        throw isSpent(fault) ? makeError('NEEDS_SIGN_IN', { provider, why: 'the provider no longer accepts its token' }) : unreachable(messageOf(fault), fault);
      });
      const { accessToken, refreshToken: next, expiresAt } = isRecord(body) ? body : {};
      if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) throw unreachable('The control plane responded without a token.');
      return {
        accessToken,
        ...(typeof next === 'string' && next !== '' ? { refreshToken: next } : {}),
        ...(typeof expiresAt === 'string' && !Number.isNaN(Date.parse(expiresAt)) ? { expiresAt } : {}),
      };
    },
    async revoke(provider, { accessToken, refreshToken }, revokeUrl) {
      const tokens = { ...(accessToken === undefined ? {} : { accessToken }), ...(refreshToken === undefined ? {} : { refreshToken }) };
      try {
        const { body } = await ask(provider, 'revoke', tokens);
        if (isRecord(body) && body['revoked'] === true) return true;
      } catch {
        // the provider itself is tried next
      }
      return revokeUrl !== undefined && accessToken !== undefined && revokeDirectly(revokeUrl, accessToken).catch(() => false);
    },
  };
}

/** Returns whether an error from the control plane concerns the account. */
function isSpent(fault: unknown): boolean {
  const { details } = (fault ?? {}) as { readonly details?: { readonly code?: unknown } };
  return codeOf(fault) === 'HUB_ERR_PLANE_REFUSED' && details?.code === 'invalid_grant';
}
