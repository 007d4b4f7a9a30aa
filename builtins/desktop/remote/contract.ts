// Defines the contract of remote sessions: mirroring the window of this machine on other devices that have a code.

export type RemoteRole = 'view' | 'control';
export type RemoteTransportName = 'lan' | 'cloud';

/** The connection of a guest that a plugin's transport accepted. */
export interface GuestLink {
  /** Code of the guest; the transport verified that the guest knows it. */
  readonly code: string;
  /** Name given by the guest. */
  readonly name: string;
  /** Address of the guest, for display. */
  readonly address: string;
  readonly transport: RemoteTransportName;
  /** Four words that the guest shows too: the user compares them before allowing control. */
  readonly words?: string;
  /** Sends strings as text, and frames as bytes. Contract: never throws. */
  send(content: string | Uint8Array): void;
}

export interface AttachedGuest {
  readonly guestId: string;
  /** Handles a text of the guest, after validation. */
  receive(text: string): void;
  /** Handles the guest's disconnection. */
  leave(): void;
  /** Aborted when the session ends; the reason is a sentence that was sent to the guest. */
  readonly closed: AbortSignal;
  /** Whether the session ended because of a protocol violation; a socket closes with 1008 then. */
  readonly hasBroken?: boolean;
}

export interface RemoteSessions {
  /** Starts sending frames and processing input within the rights of the code. Throws `REMOTE_ERR_CODE_WRONG` and `REMOTE_ERR_TOO_MANY_GUESTS`. */
  attach(link: GuestLink): AttachedGuest;
}

/** A code that currently admits guests. */
export interface OpenCode {
  readonly code: string;
  readonly role: RemoteRole;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
  /** Aborted when the code is no longer valid. */
  readonly signal: AbortSignal;
}

/** Contribution point `remote_transport`: a transport for guests besides the local network. */
export interface RemoteTransport {
  readonly name: Exclude<RemoteTransportName, 'lan'>;
  /** Returns why the transport is unavailable, as a sentence for the user; `undefined` if it is available. */
  unavailable(): string | undefined | Promise<string | undefined>;
  /** Allows guests to join with the code. Resolves with the addresses, which contain each guest's secret. Rejects if that fails. */
  open(code: OpenCode): Promise<{ readonly urls: readonly string[] }>;
}

/** An event for the log; contains no code and no token. */
export interface RemoteSessionEvent {
  readonly what: 'code' | 'joined' | 'asks' | 'allowed' | 'input' | 'left' | 'ended';
  readonly role?: RemoteRole;
  readonly transport?: RemoteTransportName;
  readonly guestId?: string;
  readonly name?: string;
  readonly address?: string;
  /** For `input`: number of inputs since the last event. */
  readonly inputs?: number;
  /** For a guest with the control role: whether the host allows control. */
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
