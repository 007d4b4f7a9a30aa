// Defines the contract of pairing: transports for pairing a device, and the list of paired devices.
import type { Disposable } from 'agent-harness/kernel';
import type { Principal } from 'agent-harness/plugins/http';

/** A newly issued pairing code. */
export interface PairingOffer {
  /** Valid for one use, see {@link Pairing.pair}. */
  readonly code: string;
  readonly expiresAt: string;
}

/** Contribution point `pairing_way`: a transport for pairing devices that cannot reach this server directly. */
export interface PairingWay {
  /** kebab-case, unique. */
  readonly name: string;
  /** Returns why the transport is unavailable, as a sentence for the user; `undefined` if it is available. */
  unavailable(): string | undefined;
  /** Resolves with the address that the device opens; it may contain a secret. Rejects if that fails. */
  offer(offer: PairingOffer): Promise<string>;
}

/** Service `pairing`. */
export interface Pairing {
  /** Exchanges a code for a device token. Rejects with `PAIRING_ERR_CODE_WRONG`. @param deviceName name in the list of devices */
  pair(code: string, deviceName: string): Promise<{ readonly device: { readonly id: string }; readonly token: string }>;
  /** Returns the principal of the token's device, with the rights of its role. */
  identify(token: string): Promise<Principal | undefined>;
  devices(): Promise<readonly { readonly id: string }[]>;
  /** Calls the listener after a device has been revoked. Contract: the listener never throws. */
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
