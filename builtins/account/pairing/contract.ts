// The contract of pairing: further ways by which a device is paired, and who is paired.
import type { Disposable } from 'agent-harness/kernel';
import type { Principal } from 'agent-harness/plugins/http';

/** A code that was just issued. */
export interface PairingOffer {
  /** Works once, see {@link Pairing.pair}. */
  readonly code: string;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
}

/** Contribution point `pairing_way`: how a device is paired that cannot reach this server directly. */
export interface PairingWay {
  /** kebab-case, unique. */
  readonly name: string;
  /** Why it cannot be used now, as a sentence for the user; `undefined` if it can. */
  unavailable(): string | undefined;
  /** Resolves with the address that the device opens, including any secret it needs. Rejects if that fails. */
  offer(offer: PairingOffer): Promise<string>;
}

/** Service `pairing`. */
export interface Pairing {
  /** Uses up the code. Rejects with `PAIRING_ERR_CODE_WRONG`. */
  pair(code: string, deviceName: string): Promise<{ readonly device: { readonly id: string }; readonly token: string }>;
  /** The device of this token, with the rights of its role. */
  identify(token: string): Promise<Principal | undefined>;
  devices(): Promise<readonly { readonly id: string }[]>;
  /** Called after a device was revoked. Contract: the listener never throws. */
  watch(listener: () => void): Disposable;
}

declare module 'agent-harness/kernel' {
  interface Services {
    pairing: Pairing;
  }
  interface ContributionPoints {
    pairing_way: PairingWay;
  }
}
