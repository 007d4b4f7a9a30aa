// Encrypts messages end to end between two parties with a shared secret over an untrusted relay. Runs in browsers, too.
import { gcm } from '@noble/ciphers/aes.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';

/** Identifies one direction of a link: direction, session, role, party. The same secret gives different keys for each context. */
export type SealContext = readonly string[];

export interface Sealer {
  /** Number of the last sealed message; 0 before the first one. */
  readonly count: number;
  /** Encrypts a message. Contract: only one sealer ever exists for a secret and context, because another one would reuse its message numbers. */
  seal(content: Uint8Array): Uint8Array;
}

export interface Opener {
  /** Number of the last accepted message. */
  readonly count: number;
  /** Decrypts a message. Returns `undefined` for messages that the other end did not encrypt for exactly this context, and for replays. Never throws. */
  open(message: Uint8Array): Uint8Array | undefined;
}

const version = 1;
const headBytes = 9;
const tagBytes = 16;
/** Number of bytes that encryption adds to the content. */
export const sealedExtraBytes = headBytes + tagBytes;
const secretBytes = 32;
const salt = new TextEncoder().encode('sealed link 1');

/** Derives bytes from the secret, different for each context; they reveal nothing about the secret. */
export function deriveBytes(secret: Uint8Array, context: SealContext, length = secretBytes): Uint8Array {
  if (secret.length !== secretBytes) throw new Error(`A secret has ${secretBytes} bytes.`);
  return hkdf(sha256, secret, salt, bytesOf(context), length);
}

/** Creates the encrypting end of a link, which numbers its messages from 1. */
export function linkSealer(secret: Uint8Array, context: SealContext): Sealer {
  const lock = lockOf(secret, context);
  let count = 0;
  return {
    get count() {
      return count;
    },
    seal(content) {
      count += 1;
      const { cipher, head } = lock(count);
      const sealed = cipher.encrypt(content);
      const message = new Uint8Array(headBytes + sealed.length);
      message.set(head);
      message.set(sealed, headBytes);
      return message;
    },
  };
}

/** Creates the decrypting end of a link. With `isGapless`, it accepts only the next message; otherwise, any message newer than the last one. */
export function linkOpener(secret: Uint8Array, context: SealContext, { isGapless = false }: { readonly isGapless?: boolean } = {}): Opener {
  const lock = lockOf(secret, context);
  let count = 0;
  return {
    get count() {
      return count;
    },
    open(message) {
      const number = sealedNumber(message);
      if (number === undefined || number <= count || (isGapless && number !== count + 1)) return undefined;
      try {
        const content = lock(number).cipher.decrypt(message.subarray(headBytes));
        count = number;
        return content;
      } catch {
        return undefined;
      }
    },
  };
}

/** Returns the unauthenticated number in the message header; `undefined` for an invalid message. */
export function sealedNumber(message: Uint8Array): number | undefined {
  if (message.length < sealedExtraBytes || message[0] !== version) return undefined;
  const number = new DataView(message.buffer, message.byteOffset, headBytes).getBigUint64(1);
  return number > 0n && number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : undefined;
}

/** Encodes a secret for the fragment (`#`) of a URL. */
export function secretText(secret: Uint8Array): string {
  return btoa(String.fromCharCode(...secret))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Decodes a secret; returns `undefined` for invalid text. */
export function secretIn(text: string): Uint8Array | undefined {
  if (!/^[\w-]{43}$/.test(text)) return undefined;
  const secret = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
  // The last character has unused bits, but each secret must have exactly one encoding.
  return secretText(secret) === text ? secret : undefined;
}

function lockOf(secret: Uint8Array, context: SealContext) {
  const bound = bytesOf(context);
  const derived = deriveBytes(secret, context, secretBytes + 4);
  const key = derived.subarray(0, secretBytes);
  return (number: number) => {
    const head = new Uint8Array(headBytes);
    head[0] = version;
    new DataView(head.buffer).setBigUint64(1, BigInt(number));
    const nonce = new Uint8Array(12);
    nonce.set(derived.subarray(secretBytes));
    nonce.set(head.subarray(1), 4);
    const known = new Uint8Array(headBytes + bound.length);
    known.set(head);
    known.set(bound, headBytes);
    return { head, cipher: gcm(key, nonce, known) };
  };
}

/** Encodes a context. Prefixes each part with its length, because no two contexts may give the same bytes. */
function bytesOf(context: SealContext): Uint8Array {
  const parts = context.map((part) => new TextEncoder().encode(part));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  let at = 0;
  for (const part of parts) {
    new DataView(bytes.buffer).setUint32(at, part.length);
    bytes.set(part, at + 4);
    at += 4 + part.length;
  }
  return bytes;
}
