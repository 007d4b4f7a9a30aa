// Hashes contents and compares secrets.
import { createHash, timingSafeEqual } from 'node:crypto';

/** Returns the SHA-256 hash in hex (64 digits). A string is encoded as UTF-8. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Compares two strings in a time that depends neither on the position of the first difference nor on the length of the secret. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));
}
