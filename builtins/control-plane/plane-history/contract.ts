// Defines the data of the session history routes: uploaded chunks of a chat; pages, lists and search results of stored chats.

/** The body of `POST /api/pro/session_history`. */
export interface HistoryChunk {
  /** Id of the user's chat: `chat_…`. */
  readonly sessionId: string;
  /** Sequence number of the chunk, from 0 without gaps. */
  readonly seq: number;
  readonly lines: readonly string[];
  /** SHA-256 in hex of the lines, joined with LF. */
  readonly sha256: string;
}

export interface HistoryStored {
  /** Number of new lines; 0 if the chunk was already stored. */
  readonly stored: number;
  /** Number of lines of the session. */
  readonly total: number;
}

/** Fields of the reply to `GET ?sessionId=` besides the lines. */
export interface HistoryPage {
  readonly lines: readonly string[];
  /** Number of the next line; omitted on the last page. */
  readonly cursor?: number;
  readonly total: number;
  /** The `seq` with which an upload continues. */
  readonly nextSeq: number;
}

export interface HistorySession {
  readonly sessionId: string;
  readonly lines: number;
  /** Time of the last upload: ISO 8601. */
  readonly at: string;
}

export interface HistoryHit {
  readonly sessionId: string;
  /** Line number in the session, from 0. */
  readonly line: number;
  /** Time of storage. */
  readonly at: string;
  readonly excerpt: string;
}
