// Defines the contract of the event stream: its readers, and additional transports.
import type { EventFrame } from 'agent-harness/plugins/chats';
import type { Rights } from 'agent-harness/plugins/http';

/** The encoding of a reader's events. Each text is encoded once for all readers with this encoding. */
export interface Wire {
  /** Unique name; readers whose encodings have the same name receive the same bytes. */
  readonly name: string;
  event(frame: EventFrame): string;
  /** Encodes an event without an id, after which no replay can start. @param json the whole event */
  notice(kind: string, json: string, chatId?: string): string;
  /** Keep-alive text, sent every 15 s to readers that receive live events. */
  readonly alive: string;
  bytesOf(texts: readonly string[]): Buffer;
}

/** The connection to a reader. It closes when the reader closes its end. */
export interface Pipe {
  readonly isClosed: boolean;
  /** Number of unsent bytes. */
  readonly bufferedBytes: number;
  write(bytes: Buffer): void;
  /** Sets the only listener, called whenever all bytes are sent. */
  onDrain(listener: () => void): void;
  /** Sets the only listener, which is called immediately if the connection is already closed. */
  onClose(listener: () => void): void;
  /** Ends the connection; nothing is written afterwards. `slow`: this reader was too slow; `over`: the stream ends for all readers. */
  end(why: 'slow' | 'over'): void;
  /** Closes immediately. */
  destroy(): void;
}

export interface Reading {
  /** Rights of the reader. It receives no events that require more rights. */
  readonly rights: Rights;
  /** Id of a chat, or `all`; default: the active chat. */
  readonly chatId?: string | undefined;
  /** Id of an event after which all events are replayed; 0 replays the whole chat. Default: only new events are sent. */
  readonly since?: number | undefined;
}

export interface Stream {
  /** Number of connected readers. */
  readonly clients: number;
  /** Returns whether any reader follows the events of that chat. */
  isRead(chatId: string): boolean;
  /**
   * Adds a reader: sends `connected`, then the replay, then live events. The reader's queue is bounded, and the reader receives `resync` if events are missing.
   * Rejects, and opens nothing, if the chat does not exist.
   */
  read(asked: Reading, wire: Wire, open: () => Pipe): Promise<void>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    stream: Stream;
  }
}
