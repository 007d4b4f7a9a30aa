// Defines the contract of the control plane's keys: one key for signatures, one for the encryption of database fields.

/** Purpose of a signed document; a verifier accepts no other purpose. */
export type SignedKind = 'license' | 'policy' | 'fleet' | 'package';

export interface PlaneKeys {
  /** Returns the public Ed25519 key as PEM (SPKI). */
  publicKey(): Promise<string>;
  /** Returns a compact JWS (`alg` EdDSA, header `typ` such as `policy+jws`, `kid`). For a license, `typ` is `JWT`. */
  sign(kind: SignedKind, claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** Returns the claims of a document that this control plane signed; `undefined` otherwise. Does not check expiry times. */
  verify(kind: SignedKind, token: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /**
   * Encrypts a text with AES-256-GCM and a key derived from `HUB_SECRET`.
   * @param purpose binds the text to its use: it cannot be decrypted for another purpose
   */
  seal(text: string, purpose: string): Promise<string>;
  /** Decrypts a text. Rejects with `PLANE_KEYS_ERR_SEALED` if it was changed, or if it was encrypted with another secret or for another purpose. */
  unseal(sealed: string, purpose: string): Promise<string>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    planeKeys: PlaneKeys;
  }
}
