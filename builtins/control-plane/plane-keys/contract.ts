// Defines the contract of the control plane's keys: one for signatures, one for encryption of database fields.

/** Purpose of a signed document; a verifier accepts no other purpose. */
export type SignedKind = 'license' | 'policy' | 'fleet' | 'package';

export interface PlaneKeys {
  /** PEM (SPKI) of the Ed25519 key. */
  publicKey(): Promise<string>;
  /** Returns a compact JWS (`alg` EdDSA, header `typ` such as `policy+jws`, `kid`). For a license the `typ` is `JWT`. */
  sign(kind: SignedKind, claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** Returns the claims of a document that this control plane signed; `undefined` otherwise. Does not check the time. */
  verify(kind: SignedKind, token: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** AES-256-GCM with a key derived from `HUB_SECRET`. @param purpose binds the text to its use: it cannot be decrypted for another purpose */
  seal(text: string, purpose: string): Promise<string>;
  /** Rejects with `PLANE_KEYS_ERR_SEALED` if the text was changed or encrypted with another secret. */
  unseal(sealed: string, purpose: string): Promise<string>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    planeKeys: PlaneKeys;
  }
}
