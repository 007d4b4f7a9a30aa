// Defines the contract of integrations: providers, connected accounts, and their tokens.
import type { TSchema } from 'typebox';

/** One operation of a provider; data, not code. */
export interface ProviderTool {
  /** snake_case; prefixed with the provider's prefix. */
  readonly name: string;
  readonly description: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Beginning with `/`; `{field}` is replaced by that argument, encoded. */
  readonly path: string;
  /** JSON Schema of an object. Arguments that the path does not name go to the query (GET, DELETE) or the JSON body. */
  readonly input: TSchema;
  /** It only reads, although its method is POST. */
  readonly isRead?: boolean;
  /** Added to the query or body of every call. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Arguments that have another place in the body than their own name: `text` → `message.body.content`. */
  readonly place?: Readonly<Record<string, string>>;
  /** The whole mail in RFC 5322 format, base64url, in this field: the arguments are to, subject, body. */
  readonly mail?: string;
}

/** Contribution point `integration_provider`. */
export interface IntegrationProvider {
  /** As used in paths: `code-host` of `/api/integrations/code-host`. */
  readonly id: string;
  readonly title: string;
  /** What it is, in two or three words. */
  readonly kind: string;
  /** Address that may receive its tokens: an origin (`https://api.example.com`), optionally with a path; the first is the base of {@link tools}. */
  readonly origins: readonly [string, ...string[]];
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An address that takes the access token as `token` of a form and revokes it: used if the control plane did not do it. */
  readonly revokeUrl?: string;
  readonly tools: readonly ProviderTool[];
}

/** Tokens of connected accounts. */
export interface ProviderTokens {
  /**
   * A token that is valid for at least two minutes; refreshed if needed. Rejects with `INTEGRATIONS_ERR_NEEDS_SIGN_IN`, or `INTEGRATIONS_ERR_UNREACHABLE` while
   * the hosted site cannot refresh it.
   */
  token(provider: string, accountId?: string): Promise<string>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    providerTokens: ProviderTokens;
  }
  interface ContributionPoints {
    integration_provider: IntegrationProvider;
  }
}
