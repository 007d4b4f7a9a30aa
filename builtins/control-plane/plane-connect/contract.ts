// The contract of connecting accounts at other services: what the control plane knows of a provider, as data.

export type ConnectMode = 'read_write' | 'read_only';

/** Who an account belongs to. Paths are dotted, such as `owner.user.id`. */
export interface ConnectAccount {
  /** Sent with the new token; left out if the token response contains the account. */
  readonly request?: { readonly url: string; readonly method?: 'GET' | 'POST'; readonly body?: object };
  /** A path in the response; or, with `callbackField`, a field of the address that the provider redirects users back to. */
  readonly accountId: string;
  /** `accountId` is a field of that address. */
  readonly isInCallback?: true;
  readonly email?: string;
  readonly name?: string;
}

/** How a provider revokes tokens. */
export interface ConnectRevoke {
  /** `{client_id}` is replaced. */
  readonly url: string;
  readonly method?: 'POST' | 'DELETE';
  /** Which token it takes; the other one if there is none. */
  readonly token: 'refresh' | 'access';
  /** How the request is authenticated: by client id and secret (Basic), by the token itself, or not at all. */
  readonly auth: 'client' | 'token' | 'none';
  /** The field that contains the token; left out if only the header does. */
  readonly field?: string;
  readonly body?: 'form' | 'json';
}

/** Contribution point `connect_provider`: where users of a control plane connect accounts, once an operator has set a client id for it. */
export interface ConnectProvider {
  /** As used in paths; the same as that of the service's own provider. */
  readonly id: string;
  readonly title: string;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** How the client id and secret are sent to `tokenUrl`. */
  readonly clientAuth: 'basic' | 'body';
  readonly tokenBody: 'form' | 'json';
  readonly scopes: Readonly<Record<ConnectMode, readonly string[]>>;
  /** `scope` when left out. */
  readonly scopeField?: string;
  /** A space when left out. */
  readonly scopeSeparator?: ',';
  /** Further parameters of the authorization request. */
  readonly extra?: Readonly<Record<string, string>>;
  /** PKCE with S256. */
  readonly hasPkce: boolean;
  /** Path of the tokens in the first response; its top level when left out. */
  readonly tokensAt?: string;
  /** Sent with requests for tokens and for the account. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly account: ConnectAccount;
  /** Left out if the provider does not support it. */
  readonly revoke?: ConnectRevoke;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    connect_provider: ConnectProvider;
  }
}
