// What two ends that share a secret tell each other through somebody who must neither read nor change it. Runs in browsers, too.
import { gcm } from '@noble/ciphers/aes.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';

/** One direction of a link. The same secret gives other keys in every other context: a direction, a session, a role, who it is. */
export type SealContext = readonly string[];

export interface Sealer {
  /** The number of the message that was sealed last; 0 before the first. */
  readonly count: number;
  /** Contract: one sealer for a secret and context, ever; another one would use its numbers again. */
  seal(content: Uint8Array): Uint8Array;
}

export interface Opener {
  /** The number of the message that was taken last. */
  readonly count: number;
  /** `undefined` for what the other end did not seal for exactly this context, and for what came before. Never throws. */
  open(message: Uint8Array): Uint8Array | undefined;
}

const version = 1;
const headBytes = 9;
const tagBytes = 16;
/** By which a message is longer than its content. */
export const sealedExtraBytes = headBytes + tagBytes;
const secretBytes = 32;
const salt = new TextEncoder().encode('sealed link 1');

/** Bytes that only those know who know the secret, other ones for each context; they say nothing about the secret. */
export function deriveBytes(secret: Uint8Array, context: SealContext, length = secretBytes): Uint8Array {
  if (secret.length !== secretBytes) throw new Error(`A secret has ${secretBytes} bytes.`);
  return hkdf(sha256, secret, salt, bytesOf(context), length);
}

/** Whoever seals numbers its messages from 1. */
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

/** @param isGapless takes only the very next message; else any that is newer than the last one */
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

/** As the message says itself, which anybody could have written; `undefined` for what is no message. */
export function sealedNumber(message: Uint8Array): number | undefined {
  if (message.length < sealedExtraBytes || message[0] !== version) return undefined;
  const number = new DataView(message.buffer, message.byteOffset, headBytes).getBigUint64(1);
  return number > 0n && number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : undefined;
}

/** A secret as it stands behind the `#` of an address. */
export function secretText(secret: Uint8Array): string {
  return btoa(String.fromCharCode(...secret))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** `undefined` for what is no such text. */
export function secretIn(text: string): Uint8Array | undefined {
  if (!/^[\w-]{43}$/.test(text)) return undefined;
  const secret = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
  // The last sign has bits that say nothing; one secret has one text.
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

/** Each part with its length, so that no two contexts are the same bytes. */
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
