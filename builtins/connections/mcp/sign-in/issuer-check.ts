// Whose answer a sign-in is: the one who gives out tokens must be who it says, and the browser must come back from there (RFC 8414, RFC 9207).
import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import { cutLine } from '../server/foreign-text.ts';

/** Throws where the document about whoever gives out tokens was written for another one. */
export function checkIssuer({ authorizationServerUrl, authorizationServerMetadata, resourceMetadata }: OAuthDiscoveryState): void {
  const issuer = authorizationServerMetadata?.issuer;
  // Addresses without a path are written with and without their slash.
  if (issuer === undefined || bare(issuer) === bare(authorizationServerUrl)) return;
  // Of servers from before 2025-06 only the origin is known.
  const isGuessed = resourceMetadata === undefined;
  if (isGuessed && URL.canParse(issuer) && new URL(issuer).origin === new URL(authorizationServerUrl).origin) return;
  throw new Error(`the server sends people to ${cutLine(authorizationServerUrl, 200)} to sign in, which says that it is ${cutLine(issuer, 200)}`);
}

/** Throws where the browser came back from elsewhere. @param iss as it came, or nothing */
export function checkComingBack(discovered: OAuthDiscoveryState | undefined, iss: string | undefined): void {
  const metadata = discovered?.authorizationServerMetadata;
  const isPromised = (metadata as Readonly<Record<string, unknown>> | undefined)?.['authorization_response_iss_parameter_supported'] === true;
  if (iss === undefined) {
    if (isPromised) throw new Error('the answer does not say who it comes from');
    return;
  }
  // Compared as it is written: what is equal only after mending is not the same.
  const expected = metadata?.issuer ?? bare(discovered?.authorizationServerUrl ?? '');
  if (iss !== expected) throw new Error(`the answer comes from ${cutLine(iss, 200)}, and not from ${cutLine(expected, 200)}`);
}

function bare(url: string): string {
  return url.replace(/\/$/, '');
}
