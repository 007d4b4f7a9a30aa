// Paired devices for other plugins: further ways by which a device comes to be paired, and who is.
import type { Disposable } from 'agent-harness/kernel';
import type { Principal } from 'agent-harness/plugins/http';

/** A code that was just given out. */
export interface PairingOffer {
  /** Works once, see {@link Pairing.pair}. */
  readonly code: string;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
}

/** Contribution point `pairing_way`: how a device that does not reach this server by itself is paired. */
export interface PairingWay {
  /** kebab-case; no two have the same one. */
  readonly name: string;
  /** Why it cannot be used now, as a sentence for the person; `undefined` where it can. */
  unavailable(): string | undefined;
  /** Answers the address that the device opens, with whatever secret it needs. Rejects where that fails. */
  offer(offer: PairingOffer): Promise<string>;
}

/** Service `pairing`. */
export interface Pairing {
  /** Uses up the code. Rejects with `PAIRING_ERR_CODE_WRONG`. */
  pair(code: string, deviceName: string): Promise<{ readonly device: { readonly id: string }; readonly token: string }>;
  /** The device whose token it is, with the rights of its role. */
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
