// The event stream: who reads, how many, and further ways to read it.
import type { EventFrame } from 'agent-harness/plugins/chats';
import type { Rights } from 'agent-harness/plugins/http';

/** How the events of a reader are written. Each text is made once for all who read in the same way. */
export interface Wire {
  /** Unique: readers of one name get the same bytes. */
  readonly name: string;
  event(frame: EventFrame): string;
  /** One that has no id, so that nobody asks for what comes after it. @param json the whole event */
  notice(kind: string, json: string, chatId?: string): string;
  /** Said every 15 s where nothing else is. */
  readonly alive: string;
  bytesOf(texts: readonly string[]): Buffer;
}

/** Where a reader is. It closes when its other end does. */
export interface Pipe {
  readonly isClosed: boolean;
  /** Bytes that the reader has not taken yet. */
  readonly bufferedBytes: number;
  write(bytes: Buffer): void;
  /** One listener, called whenever the reader has taken all. */
  onDrain(listener: () => void): void;
  /** One listener; called at once where it is closed. */
  onClose(listener: () => void): void;
  /** Nothing further is written. `slow`: this reader took too long; `over`: no reader gets any more. */
  end(why: 'slow' | 'over'): void;
  /** Closes now. */
  destroy(): void;
}

export interface Reading {
  /** Of who reads: events that ask for more never reach it. */
  readonly rights: Rights;
  /** A chat, or `all`; left out: whichever chat is the active one. */
  readonly chatId?: string | undefined;
  /** Replays everything later than this event; 0 replays the chat. Left out: only what is new. */
  readonly since?: number | undefined;
}

export interface Stream {
  /** Readers connected now. */
  readonly clients: number;
  /** Whether somebody follows the events of that chat now. */
  isRead(chatId: string): boolean;
  /**
   * One more reader: `connected` first, then what is replayed, then what happens. It is bounded, and hears `resync` where it missed something.
   * Rejects where there is no such chat; then nothing is opened.
   */
  read(asked: Reading, wire: Wire, open: () => Pipe): Promise<void>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    stream: Stream;
  }
}
