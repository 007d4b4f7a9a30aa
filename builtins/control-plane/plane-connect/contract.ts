// Connecting accounts at other services: what the control plane knows of a provider, as data.

export type ConnectMode = 'read_write' | 'read_only';

/** Who an account belongs to. Paths are dotted, as `owner.user.id`. */
export interface ConnectAccount {
  /** Asked with the fresh token; left out where the answer with the token says it. */
  readonly request?: { readonly url: string; readonly method?: 'GET' | 'POST'; readonly body?: object };
  /** Of the answer; or, with `callbackField`, of the address that the provider sends people back to. */
  readonly accountId: string;
  /** `accountId` is a field of that address. */
  readonly isInCallback?: true;
  readonly email?: string;
  readonly name?: string;
}

/** How a provider takes tokens back. */
export interface ConnectRevoke {
  /** `{client_id}` is replaced. */
  readonly url: string;
  readonly method?: 'POST' | 'DELETE';
  /** Which token it takes; the other one where there is none. */
  readonly token: 'refresh' | 'access';
  /** How the request is allowed: by client id and secret (Basic), by the token itself, or by nothing. */
  readonly auth: 'client' | 'token' | 'none';
  /** Under which field the token stands; left out where it is the header alone. */
  readonly field?: string;
  readonly body?: 'form' | 'json';
}

/** Contribution point `connect_provider`: where people of a control plane connect accounts, once an operator has given it a client id. */
export interface ConnectProvider {
  /** As it stands in addresses; the same as of the service's own provider. */
  readonly id: string;
  readonly title: string;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** How the client id and secret go to `tokenUrl`. */
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
  /** Where the tokens stand in the first answer; at its top when left out. */
  readonly tokensAt?: string;
  /** Sent with requests for tokens and for the account. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly account: ConnectAccount;
  /** Left out where the provider has no way. */
  readonly revoke?: ConnectRevoke;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    connect_provider: ConnectProvider;
  }
}
