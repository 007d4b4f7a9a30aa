// What contents and secrets are told apart by.
import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 in hex, of a text that of its UTF-8: 64 digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Whether two texts are the same. Takes the same time wherever they differ, and however long the secret is. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));
}
