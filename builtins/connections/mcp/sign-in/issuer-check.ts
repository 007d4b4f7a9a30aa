// Verifies the issuer of a sign-in: the metadata of the authorization server and the browser's redirect must match (RFC 8414, RFC 9207).
import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import { cutLine } from '../server/foreign-text.ts';

/** Throws if the authorization server's metadata was written for another one. */
export function checkIssuer({ authorizationServerUrl, authorizationServerMetadata, resourceMetadata }: OAuthDiscoveryState): void {
  const issuer = authorizationServerMetadata?.issuer;
  // Addresses without a path are written with and without their slash.
  if (issuer === undefined || bare(issuer) === bare(authorizationServerUrl)) return;
  // For servers from before 2025-06 only the origin is known.
  const isGuessed = resourceMetadata === undefined;
  if (isGuessed && URL.canParse(issuer) && new URL(issuer).origin === new URL(authorizationServerUrl).origin) return;
  throw new Error(`the server sends people to ${cutLine(authorizationServerUrl, 200)} to sign in, which says that it is ${cutLine(issuer, 200)}`);
}

/** Throws if the browser returned from elsewhere. @param iss as received, or nothing */
export function checkComingBack(discovered: OAuthDiscoveryState | undefined, iss: string | undefined): void {
  const metadata = discovered?.authorizationServerMetadata;
  const isPromised = (metadata as Readonly<Record<string, unknown>> | undefined)?.['authorization_response_iss_parameter_supported'] === true;
  if (iss === undefined) {
    if (isPromised) throw new Error('the answer does not say who it comes from');
    return;
  }
  // Compared literally: what is equal only after normalisation is not the same.
  const expected = metadata?.issuer ?? bare(discovered?.authorizationServerUrl ?? '');
  if (iss !== expected) throw new Error(`the answer comes from ${cutLine(iss, 200)}, and not from ${cutLine(expected, 200)}`);
}

function bare(url: string): string {
  return url.replace(/\/$/, '');
}
