// The contract of the event stream: its readers, and additional transports.
import type { EventFrame } from 'agent-harness/plugins/chats';
import type { Rights } from 'agent-harness/plugins/http';

/** The encoding of a reader's events. Each text is encoded once for all readers with this encoding. */
export interface Wire {
  /** Unique: readers whose encodings have the same name get the same bytes. */
  readonly name: string;
  event(frame: EventFrame): string;
  /** Encodes an event without an id, so that no replay starts after it. @param json the whole event */
  notice(kind: string, json: string, chatId?: string): string;
  /** Keep-alive text, sent after 15 s without output. */
  readonly alive: string;
  bytesOf(texts: readonly string[]): Buffer;
}

/** The connection to a reader, which closes when its other end does. */
export interface Pipe {
  readonly isClosed: boolean;
  /** Number of unsent bytes. */
  readonly bufferedBytes: number;
  write(bytes: Buffer): void;
  /** Sets the only listener, called whenever all bytes are sent. */
  onDrain(listener: () => void): void;
  /** Sets the only listener, called at once if the connection is closed already. */
  onClose(listener: () => void): void;
  /** Ends the connection; nothing is written afterwards. `slow`: this reader was too slow; `over`: the stream ends for all readers. */
  end(why: 'slow' | 'over'): void;
  /** Closes immediately. */
  destroy(): void;
}

export interface Reading {
  /** Rights of the reader, who does not get events that require more. */
  readonly rights: Rights;
  /** A chat, or `all`; left out: the active chat. */
  readonly chatId?: string | undefined;
  /** Replays all events after this id; 0 replays the chat. Left out: only new events. */
  readonly since?: number | undefined;
}

export interface Stream {
  /** Number of connected readers. */
  readonly clients: number;
  /** Returns whether any reader follows the events of that chat. */
  isRead(chatId: string): boolean;
  /**
   * Adds a reader: sends `connected`, then the replay, then live events. The reader's queue is bounded, and it gets `resync` if events are missing.
   * Rejects, and opens nothing, if the chat does not exist.
   */
  read(asked: Reading, wire: Wire, open: () => Pipe): Promise<void>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    stream: Stream;
  }
}
