// Encrypts the stored secrets of connections with AES-256-GCM. The key is in a separate file, so copied or synchronized entries disclose no secrets.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Storage } from 'agent-harness/plugins/storage';

export interface SecretBox {
  /** Encrypts text; returns `v1.<nonce>.<text and tag>`, base64url. */
  seal(text: string): Promise<string>;
  /** Decrypts text; returns `undefined` if it was changed or sealed with another key. */
  unseal(sealed: string): Promise<string | undefined>;
}

interface KeyFile {
  /** The key: 32 bytes in base64url. */
  readonly key: string;
}

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Creates a secret box. @param path path of the key file, which the first `seal` creates with mode 0600 */
export function createSecretBox(storage: Storage, path: string): SecretBox {
  let known: Promise<Buffer> | undefined;

  async function makeKey(): Promise<Buffer> {
    const { key } = await storage.updateJson(path, (current) => current ?? { key: randomBytes(keyBytes).toString('base64url') }, { shape: isKeyFile });
    return Buffer.from(key, 'base64url');
  }

  function key(): Promise<Buffer> {
    known ??= makeKey().catch((fault: unknown) => {
      known = undefined;
      throw fault;
    });
    return known;
  }

  return {
    async seal(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', await key(), nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${nonce.toString('base64url')}.${body.toString('base64url')}`;
    },
    async unseal(sealed) {
      const [version, nonce = '', body = ''] = sealed.split('.');
      const bytes = Buffer.from(body, 'base64url');
      if (version !== 'v1' || bytes.length < tagBytes) return undefined;
      try {
        const decipher = createDecipheriv('aes-256-gcm', await key(), Buffer.from(nonce, 'base64url'));
        decipher.setAuthTag(bytes.subarray(-tagBytes));
        return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

function isKeyFile(value: unknown): value is KeyFile {
  const { key } = (value ?? {}) as Partial<KeyFile>;
  return typeof key === 'string' && Buffer.from(key, 'base64url').length === keyBytes;
}
