// Defines the transport interface between the guest page and the host.

/**
 * `open`: messages reach the host. `trying`: interrupted; the transport itself retries. `away`: connected to the relay, but the host is not. `closed`:
 * interrupted; the caller must open a new connection. `refused`: this guest is not admitted, so retrying is pointless.
 */
export type TransportState = 'open' | 'trying' | 'away' | 'closed' | 'refused';

/** A single connection; after it is lost, the caller opens a new one. */
export interface Transport {
  /** Sends one text. Contract: never throws; a text that is sent before the connection opens or after it closes may be dropped. */
  send(text: string): void;
  onBytes(listener: (bytes: Uint8Array) => void): void;
  onText(listener: (text: string) => void): void;
  /** @param why the reason as a sentence for the user, if known */
  onState(listener: (state: TransportState, why?: string) => void): void;
  close(): void;
}

/** The access that a guest received in exchange for its code. */
export interface Joined {
  readonly token: string;
  readonly role: 'view' | 'control';
  readonly expiresAt: string;
}

/** The transport between this page and its host: local network or relay. */
export interface GuestTransport {
  /** Code from the address, if any. */
  readonly code?: string;
  /** Four words that host and guest show for comparison; omitted without encryption. */
  readonly words?: () => string | undefined;
  /** Returns the access from before the page was reloaded, if it is still valid. */
  resume(): Joined | undefined;
  /** Joins the session. Rejects with an error whose message is a sentence for the user. */
  join(code: string, name: string): Promise<Joined>;
  connect(joined: Joined): Transport;
  /** Deletes the token, which is no longer valid. */
  forget(): void;
}
