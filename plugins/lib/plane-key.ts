// Formats the public key of a control plane: as a fingerprint, and as lines of a service's `.env` file.
import { createHash, createPublicKey } from 'node:crypto';

/** Returns a fingerprint that users can compare by eye: `SHA256:` and 43 characters. Throws if `pem` is not a public key in PEM format. */
export function keyFingerprint(pem: string): string {
  const der = createPublicKey(pem).export({ type: 'spki', format: 'der' });
  return `SHA256:${createHash('sha256').update(der).digest('base64url')}`;
}

/** Returns lines for the `.env` file of a service. @param site URL of the control plane */
export function planeLines(site: string, pem: string): readonly string[] {
  return [
    `# ${keyFingerprint(pem)}`,
    `AGENT_HUB_SITE_URL=${site}`,
    // Parsers of `.env` files convert an escaped line break in double quotes; the parser of the key does so, too.
    `AGENT_LICENSE_PUBLIC_KEY="${pem.trim().replaceAll('\n', '\\n')}"`,
  ];
}
