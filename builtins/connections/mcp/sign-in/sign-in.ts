// Implements the OAuth sign-in to a server. Stores its data encrypted; each attempt has its own secret, which is valid for ten minutes.
import { randomBytes } from 'node:crypto';
import { isSameSecret } from '#lib/hash';
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { cutLine } from '../server/foreign-text.ts';
import type { McpParts } from '../mcp-parts.ts';
import type { OAuthSecrets, OAuthSetup } from './oauth-setup.ts';
import type { SavedServer } from '../saved/server-spec.ts';

/** The part of the sign-in that a connection needs. */
export interface LinkSignIn {
  readonly provider: OAuthClientProvider;
  /** Handles a response that requires more scopes. @param scope required scopes, if the response names them */
  needMore(scope: string | undefined): Promise<void>;
  /** Returns whether the server is unusable without a sign-in; false if only additional scopes are required. */
  isNeeded(): boolean;
}

export interface SignIn extends LinkSignIn {
  /** Returns the address of the pending sign-in. */
  authorizeUrl(): string | undefined;
  /** Returns the pending attempt with that state, and invalidates it. */
  redeem(state: string): Attempt | undefined;
  /** Exchanges the code. Rejects if the server refuses it or the issuer is wrong. */
  finish(url: string, attempt: Attempt, answer: { readonly code: string; readonly iss?: string }): Promise<void>;
}

interface Kept {
  readonly redirectUrl?: string;
  readonly client?: OAuthClientInformationMixed;
  readonly tokens?: OAuthTokens;
  /** Scopes requested in the last sign-in; the token has them unless it names others. */
  readonly askedScope?: string;
  /** Scopes that the server additionally required. */
  readonly wantedScope?: string;
}

export interface Attempt {
  readonly state: string;
  readonly authorizeUrl?: string;
  readonly scope?: string;
  readonly verifier?: string;
  /** Whether the attempt only adds scopes; the existing token then remains usable. */
  readonly isStep: boolean;
  /** Discovered metadata of the sign-in, against which the response is verified. */
  readonly discovered?: OAuthDiscoveryState;
  /** Expiry on a monotonic clock. */
  readonly endsAt: number;
}

export const attemptMs = 10 * 60_000;

interface SignInParts extends McpParts {
  readonly setup: OAuthSetup;
  readonly serverUrl: string;
}

/** @param name name of a stored server */
export function createSignIn(name: string, parts: SignInParts): SignIn {
  const { setup, serverUrl } = parts;
  const { connectionStore: store, http, product } = parts.services;
  const isByPerson = setup.kind === 'oauth';
  let attempt: Attempt | undefined;
  let discovered: OAuthDiscoveryState | undefined;
  /** The attempt whose code is being exchanged. */
  let finishing: Attempt | undefined;

  function redirectUrl(): string {
    const address = http.address();
    const origin = address ? address.url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:') : 'http://127.0.0.1';
    return `${origin}/api/integrations/mcp/${name}/callback`;
  }

  async function unsealed<T extends object>(field: 'signIn' | 'oauthSecrets'): Promise<T | undefined> {
    const sealed = (await store.entries<SavedServer>('mcp'))[name]?.[field];
    const text = sealed === undefined ? undefined : await store.unseal(sealed);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  const read = async (): Promise<Kept> => (await unsealed<Kept>('signIn')) ?? {};
  const readSecrets = async (): Promise<OAuthSecrets> => (await unsealed<OAuthSecrets>('oauthSecrets')) ?? {};

  async function write(change: (kept: Kept) => Kept): Promise<void> {
    const sealed = await store.seal(JSON.stringify(change(await read())));
    await store.update<SavedServer>('mcp', name, (saved) => saved && { ...saved, signIn: sealed });
  }

  function current(): Attempt | undefined {
    if (attempt && performance.now() >= attempt.endsAt) attempt = undefined;
    return attempt;
  }

  /** Binds a client id to the first issuer that accepts it. */
  async function clientOf({ client, redirectUrl: registered, tokens }: Kept): Promise<OAuthClientInformationMixed | undefined> {
    const { clientId } = setup;
    if (clientId !== undefined) {
      const { clientSecret } = await readSecrets();
      const issuer = client?.client_id === clientId ? client.issuer : undefined;
      return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }), ...(issuer === undefined ? {} : { issuer }) };
    }
    // A registered client id is bound to its redirect address.
    return registered === redirectUrl() || tokens ? client : undefined;
  }

  const provider: OAuthClientProvider = {
    // Without a redirect address, no browser sign-in can start.
    get redirectUrl() {
      return isByPerson ? redirectUrl() : undefined;
    },
    get clientMetadata() {
      return {
        client_name: product.title,
        // Declares a native program, because only these may use loopback redirects.
        application_type: 'native',
        redirect_uris: isByPerson ? [redirectUrl()] : [],
        grant_types: isByPerson ? ['authorization_code', 'refresh_token'] : ['client_credentials'],
        response_types: isByPerson ? ['code'] : [],
        token_endpoint_auth_method: 'none',
        ...(setup.scope === undefined ? {} : { scope: setup.scope }),
      };
    },
    ...(setup.clientMetadataUrl === undefined ? {} : { clientMetadataUrl: setup.clientMetadataUrl }),
    state() {
      const state = randomBytes(32).toString('base64url');
      attempt = { state, endsAt: performance.now() + attemptMs, isStep: false, ...(discovered ? { discovered } : {}) };
      return state;
    },
    clientInformation: async () => clientOf(await read()),
    saveClientInformation: (client) => write((kept) => ({ ...kept, client, redirectUrl: redirectUrl() })),
    async tokens() {
      const { tokens, askedScope, wantedScope } = await read();
      if (!tokens || wantedScope === undefined) return tokens;
      const { joinScopes, covers } = await import('./scope-steps.ts');
      if (covers(joinScopes(tokens.scope, askedScope), wantedScope)) return tokens;
      // Drops the refresh token, because a refreshed token would have the same scopes.
      const { refresh_token: _, ...others } = tokens;
      return others;
    },
    saveTokens: (tokens) => {
      const scope = finishing?.scope;
      return write((kept) => ({ ...kept, tokens, ...(scope === undefined ? {} : { askedScope: scope }) }));
    },
    async redirectToAuthorization(url) {
      if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error(`the server requires a sign-in at ${url.protocol}, which is not opened`);
      const { tokens, askedScope, wantedScope } = await read();
      const { covers, joinScopes, scopesOf } = await import('./scope-steps.ts');
      const offline = discovered?.authorizationServerMetadata?.scopes_supported?.includes('offline_access') === true ? 'offline_access' : undefined;
      const granted = tokens ? joinScopes(tokens.scope, askedScope) : undefined;
      const scope = joinScopes(url.searchParams.get('scope') ?? undefined, granted, wantedScope, offline);
      if (scope !== '') url.searchParams.set('scope', scope);
      if (scopesOf(scope).includes('offline_access')) url.searchParams.set('prompt', 'consent');
      const isStep = granted !== undefined && !covers(granted, wantedScope);
      if (attempt) attempt = { ...attempt, authorizeUrl: url.href, scope, isStep };
    },
    saveCodeVerifier(verifier) {
      if (attempt) attempt = { ...attempt, verifier };
    },
    codeVerifier: () => finishing?.verifier ?? '',
    async saveDiscoveryState(state) {
      const { checkIssuer } = await import('./issuer-check.ts');
      checkIssuer(state);
      discovered = state;
    },
    // The discovered metadata is used only during the exchange, because a server may move its sign-in.
    discoveryState: () => finishing?.discovered,
    async invalidateCredentials(scope) {
      if (scope === 'verifier' || scope === 'discovery') return;
      await write((kept) => (scope === 'tokens' ? { ...kept, tokens: undefined } : {}) as Kept);
    },
    ...(isByPerson
      ? {}
      : {
          async prepareTokenRequest(scope) {
            const { requestToken } = await import('./token-grants.ts');
            return requestToken(setup, await readSecrets(), scope, { state: discovered, serverUrl });
          },
        }),
    ...(setup.algorithm === undefined
      ? {}
      : {
          async addClientAuthentication(...args) {
            const [{ signedBy }, { privateKey = '' }] = await Promise.all([import('./token-grants.ts'), readSecrets()]);
            await signedBy(setup, privateKey)(...args);
          },
        }),
  };

  return {
    provider,
    async needMore(scope) {
      const { joinScopes, covers } = await import('./scope-steps.ts');
      const { tokens, askedScope, wantedScope } = await read();
      const wanted = joinScopes(wantedScope, scope);
      // A new sign-in would only grant the same scopes.
      if (tokens && covers(askedScope, wanted))
        throw new Error(`the server requires more rights than a sign-in grants${wanted === '' ? '' : ` (${cutLine(wanted, 300)})`}`);
      await write((kept) => ({ ...kept, wantedScope: wanted }));
    },
    authorizeUrl: () => current()?.authorizeUrl,
    isNeeded: () => current()?.authorizeUrl !== undefined && attempt?.isStep === false,
    redeem(state) {
      const open = current();
      if (!open || !isSameSecret(open.state, state)) return undefined;
      attempt = undefined;
      return open;
    },
    async finish(url, open, { code, iss }) {
      const [{ auth }, { createGuardedFetch }, { checkComingBack }] = await Promise.all([
        import('@modelcontextprotocol/sdk/client/auth.js'),
        import('../transport/guarded-fetch.ts'),
        import('./issuer-check.ts'),
      ]);
      checkComingBack(open.discovered, iss);
      finishing = open;
      try {
        await auth(provider, { serverUrl: url, authorizationCode: code, fetchFn: createGuardedFetch(new URL(url), {}) });
      } finally {
        finishing = undefined;
      }
    },
  };
}
