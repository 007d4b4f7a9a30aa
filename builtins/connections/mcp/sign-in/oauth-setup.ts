// How a person, or this program on its own, signs in at a server: what was said about it, with its secrets apart.

/** Named as in the body of a request. */
export type GivenOAuth =
  | {
      /** A person signs in with a browser. */
      readonly kind: 'oauth';
      /** Given by the other side beforehand; registered on its own when left out. */
      readonly clientId?: string;
      readonly clientSecret?: string;
      /** Where a document about this client lies, for sides that take its address as the client's id. */
      readonly clientMetadataUrl?: string;
      readonly scope?: string;
    }
  | {
      /** Nobody signs in: the client itself may. */
      readonly kind: 'client_credentials';
      readonly clientId: string;
      readonly clientSecret?: string;
      /** PKCS #8, PEM. In place of a secret. */
      readonly privateKey?: string;
      readonly algorithm?: string;
      readonly scope?: string;
    }
  | {
      /** Who is signed in elsewhere is let in here: the identity provider exchanges its token (cross-app access). */
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

/** As it is kept in the open. */
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

/** Answers what is wrong, as a sentence, or nothing. */
export function findOAuthFault(given: GivenOAuth): string | undefined {
  if (given.kind === 'client_credentials') {
    if ((given.clientSecret === undefined) === (given.privateKey === undefined)) return 'client_credentials takes either a clientSecret or a privateKey.';
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
