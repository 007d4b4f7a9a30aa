// The public key of a control plane: how people compare it, and how it is written down where a service knows the plane by it.
import { createHash, createPublicKey } from 'node:crypto';

/** Short enough to compare by eye: `SHA256:` and 43 letters. Throws where it is no public key in PEM form. */
export function keyFingerprint(pem: string): string {
  const der = createPublicKey(pem).export({ type: 'spki', format: 'der' });
  return `SHA256:${createHash('sha256').update(der).digest('base64url')}`;
}

/** Lines for the file `.env` of a service. @param site address of the plane */
export function planeLines(site: string, pem: string): readonly string[] {
  return [
    `# ${keyFingerprint(pem)}`,
    `AGENT_HUB_SITE_URL=${site}`,
    // Double quotes, so that each reader of such files turns `\n` into a line break, or leaves it to whoever reads the key.
    `AGENT_LICENSE_PUBLIC_KEY="${pem.trim().replaceAll('\n', '\\n')}"`,
  ];
}
