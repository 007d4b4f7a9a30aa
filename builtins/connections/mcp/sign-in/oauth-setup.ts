// Defines the OAuth setup of a server, for a user or for the program itself. Secrets are stored separately.

/** OAuth setup with the field names of a request body. */
export type GivenOAuth =
  | {
      /** The user signs in with a browser. */
      readonly kind: 'oauth';
      /** Client id assigned in advance; default: dynamic registration. */
      readonly clientId?: string;
      readonly clientSecret?: string;
      /** Address of the client metadata document, for servers that accept it as the client id. */
      readonly clientMetadataUrl?: string;
      readonly scope?: string;
    }
  | {
      /** The program itself is authorised, without a user. */
      readonly kind: 'client_credentials';
      readonly clientId: string;
      readonly clientSecret?: string;
      /** PKCS #8 key in PEM, used instead of a secret. */
      readonly privateKey?: string;
      readonly algorithm?: string;
      readonly scope?: string;
    }
  | {
      /** Cross-app access: the identity provider exchanges the token of a user who is signed in there. */
      readonly kind: 'cross_app';
      readonly clientId: string;
      readonly clientSecret?: string;
      readonly idpTokenEndpoint: string;
      readonly idpClientId: string;
      readonly idpClientSecret?: string;
      readonly idToken: string;
      readonly scope?: string;
    };

const secretFields = ['clientSecret', 'privateKey', 'idpClientSecret', 'idToken'] as const;

/** The part of the setup that is stored unencrypted. */
export interface OAuthSetup {
  readonly kind: GivenOAuth['kind'];
  readonly clientId?: string;
  readonly clientMetadataUrl?: string;
  readonly algorithm?: string;
  readonly idpTokenEndpoint?: string;
  readonly idpClientId?: string;
  readonly scope?: string;
}

export type OAuthSecrets = { readonly [field in (typeof secretFields)[number]]?: string };

export function splitSecrets(given: GivenOAuth): { readonly setup: OAuthSetup; readonly secrets: OAuthSecrets } {
  const isSecret = ([field]: [string, unknown]): boolean => (secretFields as readonly string[]).includes(field);
  const entries = Object.entries(given);
  return {
    setup: Object.fromEntries(entries.filter((entry) => !isSecret(entry))) as unknown as OAuthSetup,
    secrets: Object.fromEntries(entries.filter(isSecret)),
  };
}

/** Returns the problem as a sentence; `undefined` if there is none. */
export function findOAuthFault(given: GivenOAuth): string | undefined {
  if (given.kind === 'client_credentials') {
    if ((given.clientSecret === undefined) === (given.privateKey === undefined)) return 'client_credentials needs either a clientSecret or a privateKey.';
    return given.privateKey !== undefined && given.algorithm === undefined ? 'A privateKey needs its algorithm, such as ES256.' : undefined;
  }
  if (given.kind === 'cross_app') return isWeb(given.idpTokenEndpoint) ? undefined : 'idpTokenEndpoint must begin with https:// or http://.';
  if (given.clientSecret !== undefined && given.clientId === undefined) return 'A clientSecret needs its clientId.';
  const { clientMetadataUrl } = given;
  return clientMetadataUrl === undefined || isDocument(clientMetadataUrl) ? undefined : 'clientMetadataUrl must begin with https:// and have a path.';
}

function isWeb(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function isDocument(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:' && new URL(text).pathname !== '/';
}
