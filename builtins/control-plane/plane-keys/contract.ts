// The keys of the control plane: the one that signs, and the one that seals what the database must not show.

/** What a signed document is for; a verifier takes no other. */
export type SignedKind = 'license' | 'policy' | 'fleet' | 'package';

export interface PlaneKeys {
  /** PEM (SPKI) of the Ed25519 key. */
  publicKey(): Promise<string>;
  /** A compact JWS (`alg` EdDSA, header `typ` as in `policy+jws`, `kid`). Of a license the `typ` is `JWT`. */
  sign(kind: SignedKind, claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** The claims of what this plane signed; `undefined` for anything else. Says nothing of the time. */
  verify(kind: SignedKind, token: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** AES-256-GCM under a key derived from `HUB_SECRET`. @param purpose binds the text to its place: what was sealed for another cannot be opened */
  seal(text: string, purpose: string): Promise<string>;
  /** Rejects with `PLANE_KEYS_ERR_SEALED` where it was sealed with another secret, or changed. */
  unseal(sealed: string, purpose: string): Promise<string>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    planeKeys: PlaneKeys;
  }
}
