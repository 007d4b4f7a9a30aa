// Defines what the page of a guest needs of any connection to the host.

/**
 * `open`: messages reach the host. `trying`: interrupted, and the transport itself retries. `away`: the connection exists, the host is absent. `closed`:
 * interrupted, and a new one has to be made. `refused`: this guest is not admitted, so retrying is pointless.
 */
export type TransportState = 'open' | 'trying' | 'away' | 'closed' | 'refused';

/** One connection; a new one is made when it is lost. */
export interface Transport {
  /** One text of the protocol. Contract: never throws; what is sent before it is open, or after it closed, may be dropped. */
  send(text: string): void;
  onBytes(listener: (bytes: Uint8Array) => void): void;
  onText(listener: (text: string) => void): void;
  /** @param why a sentence for the user, if there is one */
  onState(listener: (state: TransportState, why?: string) => void): void;
  close(): void;
}

/** What a guest was given for its code. */
export interface Joined {
  readonly token: string;
  readonly role: 'view' | 'control';
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
}

/** How this page connects to its host: over the local network, or through a relay. */
export interface GuestWay {
  /** The code, if the address contains it. */
  readonly code?: string;
  /** Four words that host and guest show, so that users can compare them; left out without encryption, when there is nothing to compare. */
  readonly words?: () => string | undefined;
  /** What an earlier load of the page was given and is still valid. */
  resume(): Joined | undefined;
  /** Rejects with an error whose message is a sentence for the user. */
  join(code: string, name: string): Promise<Joined>;
  connect(joined: Joined): Transport;
  /** The token is no longer valid. */
  forget(): void;
}
