// Remote sessions: the window of this machine on other devices, for those who were given a code.

export type RemoteRole = 'view' | 'control';
export type RemoteTransportName = 'lan' | 'cloud';

/** A guest that came by a way of a plugin: what is heard of it and how it is told. */
export interface GuestLink {
  /** The code that it came with; the way has made sure that it knows it. */
  readonly code: string;
  /** As the guest calls itself. */
  readonly name: string;
  /** Where it comes from, for the person. */
  readonly address: string;
  readonly transport: RemoteTransportName;
  /** Four words that the guest shows, too: who is asked to allow it compares them. */
  readonly words?: string;
  /** Text as text, frames as bytes. Contract: never throws. */
  send(content: string | Uint8Array): void;
  /** Bytes that are not sent yet, where the way knows. */
  readonly bufferedBytes?: number;
}

export interface AttachedGuest {
  readonly guestId: string;
  /** A text of the guest; checked here. */
  receive(text: string): void;
  /** The guest is gone. */
  leave(): void;
  /** Aborted when it is over, by whomever; the reason is a sentence for the guest, which has been sent to it. */
  readonly closed: AbortSignal;
  /** Whether that was because it did what it may not: a socket is closed with 1008 then. */
  readonly hasBroken?: boolean;
}

export interface RemoteSessions {
  /** From now on it gets frames and is heard, as far as its code allows. Throws `REMOTE_ERR_CODE_WRONG` and `REMOTE_ERR_TOO_MANY_GUESTS`. */
  attach(link: GuestLink): AttachedGuest;
}

/** A code that guests may come with. */
export interface OpenCode {
  readonly code: string;
  readonly role: RemoteRole;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
  /** Aborted when it counts no longer. */
  readonly signal: AbortSignal;
}

/** Contribution point `remote_transport`: a further way by which guests come, beside the local network. */
export interface RemoteTransport {
  readonly name: Exclude<RemoteTransportName, 'lan'>;
  /** Why it cannot be used now, as a sentence for the person; `undefined` where it can. */
  unavailable(): string | undefined | Promise<string | undefined>;
  /** From now on guests may come with the code, by these addresses; each carries whatever secret its guest needs. Rejects where that fails. */
  open(code: OpenCode): Promise<{ readonly urls: readonly string[] }>;
}

/** What happened; it holds no code and no token. */
export interface RemoteSessionEvent {
  readonly what: 'code' | 'joined' | 'asks' | 'allowed' | 'input' | 'left' | 'ended';
  readonly role?: RemoteRole;
  readonly transport?: RemoteTransportName;
  readonly guestId?: string;
  readonly name?: string;
  readonly address?: string;
  /** Of `input`: how many since the last one. */
  readonly inputs?: number;
  /** Of a guest that may control: whether the host allows it. */
  readonly isAllowed?: boolean;
  /** How many guests there are now. */
  readonly guests: number;
}

declare module 'agent-harness/kernel' {
  interface Services {
    remoteSessions: RemoteSessions;
  }
  interface ContributionPoints {
    remote_transport: RemoteTransport;
  }
  interface Events {
    remote_session: RemoteSessionEvent;
  }
}
