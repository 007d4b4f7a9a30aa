// Hashes passwords with scrypt at limited concurrency, and takes the same time for unknown accounts.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

export interface Passwords {
  /** Returns the hash for the database. Rejects with `BUSY` if too many calls are waiting. */
  hash(password: string): Promise<string>;
  /**
   * Compares a password with a hash; resolves to `true` if it matches.
   * @param storedHash hash from the database; for `undefined`, resolves to `false` after the same time
   */
  isRight(password: string, storedHash: string | undefined): Promise<boolean>;
}

/** Parameters of scrypt: each hash uses 128 MB and takes about 0.3 s. */
const cost = { N: 2 ** 17, r: 8, p: 1 };
/** Size of a password hash in bytes. */
const keyLength = 32;
/** Maximum number of concurrent hashes. */
const maxConcurrent = 2;
/** Maximum number of waiting password calculations. */
const maxQueueLength = 64;
/** Minimum length of a password in characters. */
const minPasswordLength = 8;
/** Maximum length in characters; a longer password would only cost time. */
const longest = 200;

export function isPasswordLengthAllowed(password: string): boolean {
  const { length } = [...normalize(password)];
  return length >= minPasswordLength && length <= longest;
}

type Derive = (password: string, salt: Buffer) => Promise<Buffer>;

const deriveKey: Derive = (password, salt) =>
  new Promise((resolve, reject) => {
    scrypt(normalize(password), salt, keyLength, { ...cost, maxmem: 2 ** 28 }, (fault, key) => (fault ? reject(fault) : resolve(key)));
  });

/** Creates the password hasher with limited concurrency. @param busy creates the error that is thrown if too many calls are waiting */
export function createPasswords(busy: () => Error, work: Derive = deriveKey): Passwords {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function derive(password: string, salt: Buffer): Promise<Buffer> {
    if (running >= maxConcurrent) {
      if (waiting.length >= maxQueueLength) throw busy();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await work(password, salt);
    } finally {
      // Passes the free slot to the next waiting call.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  return {
    async hash(password) {
      const salt = randomBytes(16);
      return `scrypt$17$8$1$${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`;
    },
    async isRight(password, storedHash) {
      const [salt = '', key = ''] = storedHash?.startsWith('scrypt$17$8$1$') ? storedHash.split('$').slice(4) : [];
      const derived = await derive(password, salt === '' ? Buffer.alloc(16) : Buffer.from(salt, 'base64url'));
      const expected = Buffer.alloc(keyLength);
      Buffer.from(key, 'base64url').copy(expected);
      return timingSafeEqual(derived, expected) && key !== '';
    },
  };
}

/** Normalises Unicode, so that the result does not depend on the keyboard. */
function normalize(password: string): string {
  return password.normalize('NFKC');
}
