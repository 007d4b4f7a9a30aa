// What a connection signs its calls with: sealed in its entry, opened for a call, never shown.
import type { ConnectionStore } from 'agent-harness/plugins/connections';
import type { SavedAuth } from './entry.ts';

export type Auth =
  | { readonly kind: 'header' | 'query'; readonly name: string; readonly value: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'oauth'; readonly provider: string; readonly accountId?: string };

/** The service `providerTokens`, where somebody provides it. */
export interface ProviderTokens {
  token(provider: string, accountId?: string): Promise<string>;
}

/** What a request carries. */
export interface Signature {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  /** Texts that must not appear in anything that is shown. */
  readonly secrets: readonly string[];
}

export type Signing = { readonly ok: true; readonly signature: Signature } | { readonly ok: false; readonly error: string; readonly hint: string };

const unsigned: Signature = { headers: {}, query: [], secrets: [] };

export async function sealAuth(auth: Auth, store: ConnectionStore): Promise<SavedAuth> {
  switch (auth.kind) {
    case 'oauth':
      return auth;
    case 'header':
    case 'query':
      return { kind: auth.kind, name: auth.name, sealed: await store.seal(auth.value) };
    case 'bearer':
      return { kind: 'bearer', sealed: await store.seal(auth.token) };
    case 'basic':
      return { kind: 'basic', sealed: await store.seal(`${auth.user}:${auth.password}`) };
  }
}

/** @param tokens read at each use */
export async function signWith(auth: SavedAuth | undefined, store: ConnectionStore, tokens: ProviderTokens | undefined): Promise<Signing> {
  if (!auth) return { ok: true, signature: unsigned };
  if (auth.kind === 'oauth') return signByAccount(auth, tokens);
  const secret = await store.unseal(auth.sealed);
  if (secret === undefined) {
    return { ok: false, error: 'The saved credentials of this connection cannot be opened.', hint: 'Ask the user to connect it again with its credentials.' };
  }
  return { ok: true, signature: signatureOf(auth, secret) };
}

async function signByAccount({ provider, accountId }: Extract<SavedAuth, { kind: 'oauth' }>, tokens: ProviderTokens | undefined): Promise<Signing> {
  const hint = `Ask the user to connect an account at ${provider}.`;
  if (!tokens) return { ok: false, error: `Nobody here gives out tokens for ${provider}.`, hint };
  try {
    const token = await tokens.token(provider, accountId);
    return { ok: true, signature: { headers: { authorization: `Bearer ${token}` }, query: [], secrets: [token] } };
  } catch {
    // Its words may hold more than a model should see.
    return { ok: false, error: `There is no token for ${provider} now.`, hint };
  }
}

function signatureOf(auth: Exclude<SavedAuth, { kind: 'oauth' }>, secret: string): Signature {
  switch (auth.kind) {
    case 'header':
      return { headers: { [auth.name.toLowerCase()]: secret }, query: [], secrets: [secret] };
    case 'query':
      return { headers: {}, query: [[auth.name, secret]], secrets: [secret, encodeURIComponent(secret)] };
    case 'bearer':
      return { headers: { authorization: `Bearer ${secret}` }, query: [], secrets: [secret] };
    case 'basic': {
      const encoded = Buffer.from(secret).toString('base64');
      return { headers: { authorization: `Basic ${encoded}` }, query: [], secrets: [encoded, secret, secret.slice(secret.indexOf(':') + 1)] };
    }
  }
}

/** Servers that repeat what they were sent must not bring a key into the conversation. */
export function withoutSecrets(text: string, { secrets }: Signature): string {
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return [...new Set(forms)]
    .filter((secret) => secret.length >= 4)
    .sort((left, right) => right.length - left.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}
