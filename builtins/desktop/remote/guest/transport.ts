// Defines the transport interface between the guest page and the host.

/**
 * `open`: messages reach the host. `trying`: interrupted, and the transport itself retries. `away`: connected to the relay, but the host is absent. `closed`:
 * interrupted; the caller must open a new connection. `refused`: this guest is not admitted, so retrying is pointless.
 */
export type TransportState = 'open' | 'trying' | 'away' | 'closed' | 'refused';

/** One connection; after its loss the caller opens a new one. */
export interface Transport {
  /** Sends one text. Contract: never throws; a text sent before the connection opens or after it closed may be dropped. */
  send(text: string): void;
  onBytes(listener: (bytes: Uint8Array) => void): void;
  onText(listener: (text: string) => void): void;
  /** @param why reason as a sentence for the user, if known */
  onState(listener: (state: TransportState, why?: string) => void): void;
  close(): void;
}

/** The access that a guest received for its code. */
export interface Joined {
  readonly token: string;
  readonly role: 'view' | 'control';
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
}

/** The transport between this page and its host: local network or relay. */
export interface GuestTransport {
  /** Code from the address, if any. */
  readonly code?: string;
  /** Four words that host and guest show for comparison; left out without encryption. */
  readonly words?: () => string | undefined;
  /** Returns the access of an earlier load of the page, if still valid. */
  resume(): Joined | undefined;
  /** Joins the session. Rejects with an error whose message is a sentence for the user. */
  join(code: string, name: string): Promise<Joined>;
  connect(joined: Joined): Transport;
  /** Deletes the token, which is no longer valid. */
  forget(): void;
}
