// Defines the entry of a connection in the section `openapi` of `integrations.json`.

/** `scheme`: the document's scheme of this credential; default: all calls. */
export type SavedAuth = { readonly scheme?: string } & (
  | { readonly kind: 'header' | 'query' | 'cookie'; readonly name: string; readonly sealed: string }
  | { readonly kind: 'bearer' | 'basic'; readonly sealed: string }
  | { readonly kind: 'oauth'; readonly provider: string; readonly accountId?: string }
);

export interface Entry {
  readonly title: string;
  readonly baseUrl: string;
  /** Whether only the document names the server; calls then must not reach this machine or a private network. */
  readonly isPublicOnly: boolean;
  /** Source address of the document, without its query. */
  readonly specUrl?: string;
  /** One credential, or several if the document has several schemes. */
  readonly auth?: SavedAuth | readonly SavedAuth[];
  readonly autoApproveReads: boolean;
  readonly toolCount: number;
  /** File name in the plugin's folder. */
  readonly table: string;
  readonly connectedAt: string;
}

export const section = 'openapi';
export const connectionName = /^[a-z][a-z0-9_-]{0,31}$/;

export function authsOf({ auth }: Pick<Entry, 'auth'>): readonly SavedAuth[] {
  return auth === undefined ? [] : Array.isArray(auth) ? (auth as readonly SavedAuth[]) : [auth as SavedAuth];
}
