// Defines the contract of remote sessions, which mirror the window of this machine on other devices that have a code.

export type RemoteRole = 'view' | 'control';
export type RemoteTransportName = 'lan' | 'cloud';

/** The connection of a guest, accepted by the transport of a plugin. */
export interface GuestLink {
  /** Code of the guest; the transport has verified that the guest knows it. */
  readonly code: string;
  /** Name that the guest entered. */
  readonly name: string;
  /** Address of the guest, for display. */
  readonly address: string;
  readonly transport: RemoteTransportName;
  /** Four words that the guest also sees; the user compares them before allowing control. */
  readonly words?: string;
  /** Sends a string as text, and a frame as bytes. Contract: never throws. */
  send(content: string | Uint8Array): void;
}

export interface AttachedGuest {
  readonly guestId: string;
  /** Handles text from the guest, which is validated first. */
  receive(text: string): void;
  /** Handles a disconnection of the guest. */
  leave(): void;
  /** Aborted when the session ends; the reason is a sentence that was sent to the guest. */
  readonly closed: AbortSignal;
  /** Whether the session ended because of a protocol violation; a WebSocket is then closed with code 1008. */
  readonly hasBroken?: boolean;
}

export interface RemoteSessions {
  /** Starts sending frames and processing input within the rights that the code grants. Throws `REMOTE_ERR_CODE_WRONG` and `REMOTE_ERR_TOO_MANY_GUESTS`. */
  attach(link: GuestLink): AttachedGuest;
}

/** A code that currently admits guests. */
export interface OpenCode {
  readonly code: string;
  readonly role: RemoteRole;
  readonly expiresAt: string;
  /** Aborted when the code is no longer valid. */
  readonly signal: AbortSignal;
}

/** Contribution point `remote_transport`: a transport for guests outside the local network. */
export interface RemoteTransport {
  readonly name: Exclude<RemoteTransportName, 'lan'>;
  /** Returns why the transport is unavailable, as a sentence for the user; `undefined` if it is available. */
  unavailable(): string | undefined | Promise<string | undefined>;
  /** Allows guests to join with the code. Resolves with the addresses; each contains a guest's secret. Rejects if that fails. */
  open(code: OpenCode): Promise<{ readonly urls: readonly string[] }>;
}

/** An event for the log; contains no codes and no tokens. */
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
