// Manages the credentials of a connection: stores them encrypted in its entry, decrypts them for a call, and never shows them.
import type { ConnectionStore } from 'agent-harness/plugins/connections';
import type { SecurityScheme } from './compile-thread.ts';
import type { SavedAuth } from './entry.ts';

/** `scheme`: the scheme of the document to which this credential belongs. */
export type Auth = { readonly scheme?: string } & (
  | { readonly kind: 'header' | 'query' | 'cookie'; readonly name: string; readonly value: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'oauth'; readonly provider: string; readonly accountId?: string }
);

/** The service `providerTokens`, if a plugin provides it. */
export interface ProviderTokens {
  token(provider: string, accountId?: string): Promise<string>;
}

/** The credentials of a request. */
export interface Signature {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly cookies: readonly (readonly [string, string])[];
  /** Strings to remove from all displayed text. */
  readonly secrets: readonly string[];
}

export type Signing = { readonly ok: true; readonly signature: Signature } | { readonly ok: false; readonly error: string; readonly hint: string };

const unsigned: Signature = { headers: {}, query: [], cookies: [], secrets: [] };

/** Returns the lower-case names of parameters that carry credentials. */
export function credentialNames(auths: readonly { readonly kind: string; readonly name?: string }[]): string[] {
  return auths.flatMap(({ name }) => (name === undefined ? [] : [name.toLowerCase()]));
}

/** Assigns each of several credentials to the scheme that it fits, if exactly one does. A single credential applies to every call. */
export function withSchemes(
  auths: readonly Auth[],
  schemes: Readonly<Record<string, SecurityScheme>>,
): { readonly ok: true; readonly auths: readonly Auth[] } | { readonly ok: false; readonly scheme: string } {
  const unknown = auths.find(({ scheme }) => scheme !== undefined && !Object.hasOwn(schemes, scheme));
  if (unknown?.scheme !== undefined) return { ok: false, scheme: unknown.scheme };
  if (auths.length < 2) return { ok: true, auths };
  return {
    ok: true,
    auths: auths.map((auth) => {
      const fitting = Object.entries(schemes).filter(([, scheme]) => fits(auth, scheme));
      const [only] = fitting;
      return auth.scheme === undefined && only && fitting.length === 1 ? { ...auth, scheme: only[0] } : auth;
    }),
  };
}

function fits(auth: Auth, { type, in: place, name, scheme }: SecurityScheme): boolean {
  const isToken = type === 'oauth2' || type === 'openIdConnect';
  if ('name' in auth) return type === 'apiKey' && place === auth.kind && name?.toLowerCase() === auth.name.toLowerCase();
  if (auth.kind === 'basic') return type === 'http' && scheme === 'basic';
  return isToken || (type === 'http' && scheme === 'bearer');
}

/** Returns the credentials of a call: the operation's first alternative that is complete. */
export function chooseAuths(auths: readonly SavedAuth[], ways: readonly (readonly string[])[] | undefined): readonly SavedAuth[] {
  if (ways === undefined) return auths;
  const has = (scheme: string): boolean => auths.some((auth) => auth.scheme === scheme);
  const count = (way: readonly string[]): number => way.filter(has).length;
  // If no alternative is complete, the server reports what is missing. Sending no credentials is the last resort.
  const way = ways.find((one) => one.length > 0 && one.every(has)) ?? [...ways].sort((left, right) => count(right) - count(left))[0] ?? [];
  return auths.filter(({ scheme }) => scheme === undefined || way.includes(scheme));
}

export async function sealAuth(auth: Auth, store: ConnectionStore): Promise<SavedAuth> {
  const scheme = auth.scheme === undefined ? {} : { scheme: auth.scheme };
  return { ...scheme, ...(await sealOne(auth, store)) };
}

async function sealOne(auth: Auth, store: ConnectionStore): Promise<SavedAuth> {
  switch (auth.kind) {
    case 'oauth':
      return auth;
    case 'header':
    case 'query':
    case 'cookie':
      return { kind: auth.kind, name: auth.name, sealed: await store.seal(auth.value) };
    case 'bearer':
      return { kind: 'bearer', sealed: await store.seal(auth.token) };
    case 'basic':
      return { kind: 'basic', sealed: await store.seal(`${auth.user}:${auth.password}`) };
  }
}

/** @param tokens read on every use */
export async function signWith(auths: readonly SavedAuth[], store: ConnectionStore, tokens: ProviderTokens | undefined): Promise<Signing> {
  let signature = unsigned;
  for (const auth of auths) {
    const signing = await signOne(auth, store, tokens);
    if (!signing.ok) return signing;
    const { headers, query, cookies, secrets } = signing.signature;
    signature = {
      headers: { ...signature.headers, ...headers },
      query: [...signature.query, ...query],
      cookies: [...signature.cookies, ...cookies],
      secrets: [...signature.secrets, ...secrets],
    };
  }
  return { ok: true, signature };
}

async function signOne(auth: SavedAuth, store: ConnectionStore, tokens: ProviderTokens | undefined): Promise<Signing> {
  if (auth.kind === 'oauth') return signByAccount(auth, tokens);
  const secret = await store.unseal(auth.sealed);
  if (secret === undefined) {
    return { ok: false, error: 'The saved credentials of this connection cannot be opened.', hint: 'Ask the user to reconnect it with its credentials.' };
  }
  return { ok: true, signature: signatureOf(auth, secret) };
}

async function signByAccount({ provider, accountId }: Extract<SavedAuth, { kind: 'oauth' }>, tokens: ProviderTokens | undefined): Promise<Signing> {
  const hint = `Ask the user to connect an account at ${provider}.`;
  if (!tokens) return { ok: false, error: `No loaded plugin issues tokens for ${provider}.`, hint };
  try {
    const token = await tokens.token(provider, accountId);
    return { ok: true, signature: { ...unsigned, headers: { authorization: `Bearer ${token}` }, secrets: [token] } };
  } catch {
    // Hides the original message, which may contain details that a model must not see.
    return { ok: false, error: `No token is available for ${provider}.`, hint };
  }
}

function signatureOf(auth: Exclude<SavedAuth, { kind: 'oauth' }>, secret: string): Signature {
  switch (auth.kind) {
    case 'header':
      return { ...unsigned, headers: { [auth.name.toLowerCase()]: secret }, secrets: [secret] };
    case 'query':
      return { ...unsigned, query: [[auth.name, secret]], secrets: [secret, encodeURIComponent(secret)] };
    case 'cookie':
      return { ...unsigned, cookies: [[auth.name, secret]], secrets: [secret, encodeURIComponent(secret), decoded(secret)] };
    case 'bearer':
      return { ...unsigned, headers: { authorization: `Bearer ${secret}` }, secrets: [secret] };
    case 'basic': {
      const encoded = Buffer.from(secret).toString('base64');
      return { ...unsigned, headers: { authorization: `Basic ${encoded}` }, secrets: [encoded, secret, secret.slice(secret.indexOf(':') + 1)] };
    }
  }
}

/** Decodes a cookie value as servers do. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Removes secrets from a response, because a server may echo the request. */
export function withoutSecrets(text: string, { secrets }: Signature): string {
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return [...new Set(forms)]
    .filter((secret) => secret.length >= 4)
    .sort((left, right) => right.length - left.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}
