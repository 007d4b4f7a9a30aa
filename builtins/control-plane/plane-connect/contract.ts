// Defines the contract of hosted connections: the data that describes a provider.

export type ConnectMode = 'read_write' | 'read_only';

/** Describes how to read the owner of an account. Paths are dotted, such as `owner.user.id`. */
export interface ConnectAccount {
  /** Request for the account, sent with the new token; omitted if the token response contains the account. */
  readonly request?: { readonly url: string; readonly method?: 'GET' | 'POST'; readonly body?: object };
  /** Path in the response; with `isInCallback`, a field of the redirect address. */
  readonly accountId: string;
  /** Whether `accountId` is a field of the redirect address. */
  readonly isInCallback?: true;
  readonly email?: string;
  readonly name?: string;
}

/** Describes how a provider revokes tokens. */
export interface ConnectRevoke {
  /** Address of the request; `{client_id}` is replaced. */
  readonly url: string;
  readonly method?: 'POST' | 'DELETE';
  /** Preferred token; the other token is used if the preferred one is missing. */
  readonly token: 'refresh' | 'access';
  /** Authentication of the request: with client id and secret (Basic), with the token itself, or none. */
  readonly auth: 'client' | 'token' | 'none';
  /** Field that contains the token; omitted if only the header contains it. */
  readonly field?: string;
  readonly body?: 'form' | 'json';
}

/** Contribution point `connect_provider`: a service at which users can connect accounts once an operator has set a client id. */
export interface ConnectProvider {
  /** Id in paths; the same as the id of the provider in the user's own service. */
  readonly id: string;
  readonly title: string;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** Part of the token request that carries client id and secret: the header (Basic) or the body. */
  readonly clientAuth: 'basic' | 'body';
  readonly tokenBody: 'form' | 'json';
  readonly scopes: Readonly<Record<ConnectMode, readonly string[]>>;
  /** Name of the parameter with the scopes; default: `scope`. */
  readonly scopeField?: string;
  /** Separator between scopes; default: a space. */
  readonly scopeSeparator?: ',';
  /** Additional parameters of the authorization request. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Whether the provider supports PKCE with S256. */
  readonly hasPkce: boolean;
  /** Path of the tokens in the first response; default: the top level. */
  readonly tokensAt?: string;
  /** Headers of token and account requests. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly account: ConnectAccount;
  /** Omitted if the provider does not support revocation. */
  readonly revoke?: ConnectRevoke;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    connect_provider: ConnectProvider;
  }
}
