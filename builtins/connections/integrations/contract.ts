// Defines the contract of integrations: providers, connected accounts, and their tokens.
import type { TSchema } from 'typebox';

/** An operation of a provider, defined as data. */
export interface ProviderTool {
  /** snake_case name; the provider's prefix is added. */
  readonly name: string;
  readonly description: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path that starts with `/`; `{field}` is replaced by the encoded argument. */
  readonly path: string;
  /** JSON Schema of an object. Arguments that the path does not contain are sent in the query (GET, DELETE) or in the JSON body. */
  readonly input: TSchema;
  /** Whether the operation is read-only, although its method is POST. */
  readonly isRead?: boolean;
  /** Values that are added to the query or body of every call. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Paths in the body by argument: `text` → `message.body.content`. */
  readonly place?: Readonly<Record<string, string>>;
  /** Field for a complete e-mail in RFC 5322 format, base64url, built from the arguments to, subject and body. */
  readonly mail?: string;
}

/** Contribution point `integration_provider`: a provider of hosted accounts with its operations. */
export interface IntegrationProvider {
  /** Id in paths, such as `code-host` in `/api/integrations/code-host`. */
  readonly id: string;
  readonly title: string;
  /** Kind of service in two or three words. */
  readonly kind: string;
  /**
   * Addresses that may receive tokens: origins such as `https://api.example.com`, optionally with a path. The first one is the base address of {@link tools}.
   */
  readonly origins: readonly [string, ...string[]];
  /** Headers of every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Address that revokes an access token, which is sent as the form field `token`. Used if the control plane did not revoke it. */
  readonly revokeUrl?: string;
  readonly tools: readonly ProviderTool[];
}

/** The service `providerTokens`: tokens of connected accounts. */
export interface ProviderTokens {
  /**
   * Returns a token that is valid for at least two minutes; refreshes it if necessary. Rejects with `INTEGRATIONS_ERR_NEEDS_SIGN_IN`, or with
   * `INTEGRATIONS_ERR_UNREACHABLE` while the hosted site cannot refresh it.
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
