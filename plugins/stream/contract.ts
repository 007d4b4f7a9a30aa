// The contract of the event stream: its readers, and additional transports.
import type { EventFrame } from 'agent-harness/plugins/chats';
import type { Rights } from 'agent-harness/plugins/http';

/** The encoding of a reader's events. Each text is encoded once for all readers with the same one. */
export interface Wire {
  /** Unique: readers with the same name get the same bytes. */
  readonly name: string;
  event(frame: EventFrame): string;
  /** Encodes an event without an id, so that no replay starts after it. @param json the whole event */
  notice(kind: string, json: string, chatId?: string): string;
  /** Keep-alive text, sent after 15 s without output. */
  readonly alive: string;
  bytesOf(texts: readonly string[]): Buffer;
}

/** The connection to a reader. It closes when its other end does. */
export interface Pipe {
  readonly isClosed: boolean;
  /** Unsent bytes. */
  readonly bufferedBytes: number;
  write(bytes: Buffer): void;
  /** One listener, called whenever all bytes are sent. */
  onDrain(listener: () => void): void;
  /** One listener; called immediately if already closed. */
  onClose(listener: () => void): void;
  /** Nothing is written after this. `slow`: this reader was too slow; `over`: the stream ends for all. */
  end(why: 'slow' | 'over'): void;
  /** Closes immediately. */
  destroy(): void;
}

export interface Reading {
  /** Rights of the reader: events that require more are not sent. */
  readonly rights: Rights;
  /** A chat, or `all`; when left out, the active chat. */
  readonly chatId?: string | undefined;
  /** Replays everything after this event; 0 replays the chat. When left out, only new events are sent. */
  readonly since?: number | undefined;
}

export interface Stream {
  /** Number of connected readers. */
  readonly clients: number;
  /** Whether any reader follows the events of that chat. */
  isRead(chatId: string): boolean;
  /**
   * Adds a reader: `connected` first, then the replay, then live events. Its queue is bounded, and it gets `resync` if events are missing.
   * Rejects if there is no such chat; then nothing is opened.
   */
  read(asked: Reading, wire: Wire, open: () => Pipe): Promise<void>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    stream: Stream;
  }
}
