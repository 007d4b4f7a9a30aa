// Encrypts texts with AES-256-GCM, bound to a purpose.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface Sealer {
  seal(text: string, purpose: string): string;
  /** Decrypts a text. Throws the error that `makeFault` creates if the text was changed or has another purpose. */
  unseal(sealed: string, purpose: string): string;
}

const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

export function createSealer(secret: string, makeFault: () => Error): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'agent-harness control plane seal', 32));
  return {
    seal(text, purpose) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    unseal(sealed, purpose) {
      const [tagged, encoded] = sealed.split('.', 2);
      const bytes = Buffer.from(encoded ?? '', 'base64url');
      if (tagged !== version || bytes.byteLength < nonceBytes + tagBytes) throw makeFault();
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes)).setAAD(Buffer.from(purpose));
        decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
      } catch {
        throw makeFault();
      }
    },
  };
}
