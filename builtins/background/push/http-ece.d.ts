declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  export interface Params {
    readonly version: 'aes128gcm';
    /** Public key of the receiver, uncompressed. */
    readonly dh?: Buffer;
    readonly privateKey: ECDH;
    readonly authSecret: Buffer;
  }

  /** Encrypts content (RFC 8188) with keys derived as in RFC 8291. */
  export function encrypt(content: Buffer, params: Params): Buffer;
  export function decrypt(content: Buffer, params: Params): Buffer;
}
