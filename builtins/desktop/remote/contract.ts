// The contract of remote sessions: the window of this machine on other devices, for those who were given a code.

export type RemoteRole = 'view' | 'control';
export type RemoteTransportName = 'lan' | 'cloud';

/** A guest that connected by a plugin's way: how it sends and receives. */
export interface GuestLink {
  /** The code that it joined with; the way has verified that it knows it. */
  readonly code: string;
  /** Name given by the guest. */
  readonly name: string;
  /** The address that it connects from, for the user. */
  readonly address: string;
  readonly transport: RemoteTransportName;
  /** Four words that the guest shows too: the user compares them before allowing control. */
  readonly words?: string;
  /** Text as text, frames as bytes. Contract: never throws. */
  send(content: string | Uint8Array): void;
  /** Bytes that are not sent yet, if the way knows. */
  readonly bufferedBytes?: number;
}

export interface AttachedGuest {
  readonly guestId: string;
  /** A text of the guest; validated here. */
  receive(text: string): void;
  /** The guest is gone. */
  leave(): void;
  /** Aborted when it is over, for any cause; the reason is a sentence for the guest, which has been sent to it. */
  readonly closed: AbortSignal;
  /** Whether it ended because of a violation: a socket is closed with 1008 then. */
  readonly hasBroken?: boolean;
}

export interface RemoteSessions {
  /** From now on it gets frames and its input is processed, as far as its code allows. Throws `REMOTE_ERR_CODE_WRONG` and `REMOTE_ERR_TOO_MANY_GUESTS`. */
  attach(link: GuestLink): AttachedGuest;
}

/** A code that guests may join with. */
export interface OpenCode {
  readonly code: string;
  readonly role: RemoteRole;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
  /** Aborted when it is no longer valid. */
  readonly signal: AbortSignal;
}

/** Contribution point `remote_transport`: a further way by which guests connect, besides the local network. */
export interface RemoteTransport {
  readonly name: Exclude<RemoteTransportName, 'lan'>;
  /** Why it cannot be used now, as a sentence for the user; `undefined` if it can. */
  unavailable(): string | undefined | Promise<string | undefined>;
  /** From now on guests may join with the code, by these addresses; each contains any secret its guest needs. Rejects if that fails. */
  open(code: OpenCode): Promise<{ readonly urls: readonly string[] }>;
}

/** What happened; it contains no code and no token. */
export interface RemoteSessionEvent {
  readonly what: 'code' | 'joined' | 'asks' | 'allowed' | 'input' | 'left' | 'ended';
  readonly role?: RemoteRole;
  readonly transport?: RemoteTransportName;
  readonly guestId?: string;
  readonly name?: string;
  readonly address?: string;
  /** For `input`: how many since the last one. */
  readonly inputs?: number;
  /** For a guest that may control: whether the host allows it. */
  readonly isAllowed?: boolean;
  /** Current number of guests. */
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
