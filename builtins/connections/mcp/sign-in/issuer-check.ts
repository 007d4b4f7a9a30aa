// Verifies the issuer of a sign-in: the authorization server's metadata and the browser's redirect must match (RFC 8414, RFC 9207).
import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import { cutLine } from '../server/foreign-text.ts';

/** Throws if the metadata names another authorization server. */
export function checkIssuer({ authorizationServerUrl, authorizationServerMetadata, resourceMetadata }: OAuthDiscoveryState): void {
  const issuer = authorizationServerMetadata?.issuer;
  // An address without a path is the same with and without a trailing slash.
  if (issuer === undefined || bare(issuer) === bare(authorizationServerUrl)) return;
  // For servers before 2025-06, only the origin is known.
  const isGuessed = resourceMetadata === undefined;
  if (isGuessed && URL.canParse(issuer) && new URL(issuer).origin === new URL(authorizationServerUrl).origin) return;
  throw new Error(`the server redirects to ${cutLine(authorizationServerUrl, 200)} for the sign-in, which identifies itself as ${cutLine(issuer, 200)}`);
}

/** Throws if the redirect comes from another issuer. @param iss the received parameter, if any */
export function checkComingBack(discovered: OAuthDiscoveryState | undefined, iss: string | undefined): void {
  const metadata = discovered?.authorizationServerMetadata;
  const isPromised = (metadata as Readonly<Record<string, unknown>> | undefined)?.['authorization_response_iss_parameter_supported'] === true;
  if (iss === undefined) {
    if (isPromised) throw new Error('the reply does not name its issuer');
    return;
  }
  // Compares literally, without normalisation.
  const expected = metadata?.issuer ?? bare(discovered?.authorizationServerUrl ?? '');
  if (iss !== expected) throw new Error(`the reply comes from ${cutLine(iss, 200)}, not from ${cutLine(expected, 200)}`);
}

function bare(url: string): string {
  return url.replace(/\/$/, '');
}
