// Signing in at a server (OAuth with PKCE): what it takes is kept sealed, and each attempt has a secret of its own for ten minutes.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { McpParts } from './mcp-parts.ts';
import type { SavedServer } from './server-spec.ts';

export interface SignIn {
  readonly provider: OAuthClientProvider;
  /** Where the person signs in, while that is open. */
  authorizeUrl(): string | undefined;
  /** Answers whether the state is that of the open attempt; it is used up then. */
  redeem(state: string): boolean;
  /** Exchanges the code. Rejects when the other side refuses. */
  finish(url: string, code: string): Promise<void>;
}

interface Kept {
  readonly redirectUrl?: string;
  readonly client?: OAuthClientInformationMixed;
  readonly tokens?: OAuthTokens;
}

interface Attempt {
  readonly state: string;
  readonly authorizeUrl?: string;
  /** Of a clock that nobody sets. */
  readonly endsAt: number;
}

export const attemptMs = 10 * 60_000;

/** @param name of a server whose entry is saved */
export function createSignIn(name: string, parts: McpParts): SignIn {
  const { connectionStore: store, http, product } = parts.services;
  let verifier = '';
  let attempt: Attempt | undefined;

  function redirectUrl(): string {
    const address = http.address();
    const origin = address ? address.url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:') : 'http://127.0.0.1';
    return `${origin}/api/integrations/mcp/${name}/callback`;
  }

  async function read(): Promise<Kept> {
    const { signIn } = (await store.entries<SavedServer>('mcp'))[name] ?? {};
    const text = signIn === undefined ? undefined : await store.unseal(signIn);
    return text === undefined ? {} : (JSON.parse(text) as Kept);
  }

  async function write(change: (kept: Kept) => Kept): Promise<void> {
    const sealed = await store.seal(JSON.stringify(change(await read())));
    await store.update<SavedServer>('mcp', name, (saved) => saved && { ...saved, signIn: sealed });
  }

  function current(): Attempt | undefined {
    if (attempt && performance.now() >= attempt.endsAt) attempt = undefined;
    return attempt;
  }

  const provider: OAuthClientProvider = {
    get redirectUrl() {
      return redirectUrl();
    },
    get clientMetadata() {
      return {
        client_name: product.title,
        redirect_uris: [redirectUrl()],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      };
    },
    state() {
      const state = randomBytes(32).toString('base64url');
      attempt = { state, endsAt: performance.now() + attemptMs };
      return state;
    },
    async clientInformation() {
      const kept = await read();
      // A client is registered with the address that the person comes back to.
      return kept.redirectUrl === redirectUrl() || kept.tokens ? kept.client : undefined;
    },
    saveClientInformation: (client) => write((kept) => ({ ...kept, client, redirectUrl: redirectUrl() })),
    tokens: async () => (await read()).tokens,
    saveTokens: (tokens) => write((kept) => ({ ...kept, tokens })),
    redirectToAuthorization(url) {
      if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error(`the server wants people to sign in at ${url.protocol}, which is not opened`);
      if (attempt) attempt = { ...attempt, authorizeUrl: url.href };
    },
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
    async invalidateCredentials(scope) {
      if (scope === 'verifier' || scope === 'discovery') return;
      await write((kept) => (scope === 'tokens' ? { ...kept, tokens: undefined } : {}) as Kept);
    },
  };

  return {
    provider,
    authorizeUrl: () => current()?.authorizeUrl,
    redeem(state) {
      const open = current();
      if (!open || !isSame(open.state, state)) return false;
      attempt = undefined;
      return true;
    },
    async finish(url, code) {
      const [{ auth }, { createGuardedFetch }] = await Promise.all([import('@modelcontextprotocol/sdk/client/auth.js'), import('./guarded-fetch.ts')]);
      await auth(provider, { serverUrl: url, authorizationCode: code, fetchFn: createGuardedFetch(new URL(url), {}) });
    },
  };
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
