// What the page of a guest needs of a way to the host, whichever it is.

/**
 * `open`: the host hears it. `trying`: it broke, and the transport itself tries again. `away`: the way is there, the host is not. `closed`: it
 * broke, and another one is to be made. `refused`: whoever answers does not let this guest in, so that trying again is in vain.
 */
export type TransportState = 'open' | 'trying' | 'away' | 'closed' | 'refused';

/** One connection; another one is made when it is lost. */
export interface Transport {
  /** One text of the protocol. Contract: never throws; what comes before it is open, or after it closed, may be dropped. */
  send(text: string): void;
  onBytes(listener: (bytes: Uint8Array) => void): void;
  onText(listener: (text: string) => void): void;
  /** @param why a sentence for the person, where there is one */
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

/** How this page comes to its host: over the local network, or through a relay. */
export interface GuestWay {
  /** The code, where the address has it. */
  readonly code?: string;
  /** Four words that host and guest show, so that people can compare them; left out where nothing is sealed, so that there is nothing to compare. */
  readonly words?: () => string | undefined;
  /** What an earlier load of the page was given and is good still. */
  resume(): Joined | undefined;
  /** Rejects with an error whose message is a sentence for the person. */
  join(code: string, name: string): Promise<Joined>;
  connect(joined: Joined): Transport;
  /** The token is of no use any more. */
  forget(): void;
}
