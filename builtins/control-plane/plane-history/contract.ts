// The contract of sessions stored on a control plane: the transferred data.

/** The body of `POST /api/pro/session_history`. */
export interface HistoryChunk {
  /** Id of the user's chat: `chat_…`. */
  readonly sessionId: string;
  /** Counts up from 0 without a gap. */
  readonly seq: number;
  readonly lines: readonly string[];
  /** SHA-256 in hex of the lines joined by LF. */
  readonly sha256: string;
}

export interface HistoryStored {
  /** Number of new lines; 0 if the chunk existed. */
  readonly stored: number;
  /** Number of lines of the session. */
  readonly total: number;
}

/** What `GET ?sessionId=` returns of a session besides its lines. */
export interface HistoryPage {
  readonly lines: readonly string[];
  /** The number of the next line; left out on the last page. */
  readonly cursor?: number;
  readonly total: number;
  /** The next `seq`: an upload continues with it. */
  readonly nextSeq: number;
}

/** A stored session in a list. */
export interface HistorySession {
  readonly sessionId: string;
  readonly lines: number;
  /** When something was added last: ISO 8601. */
  readonly at: string;
}

export interface HistoryHit {
  readonly sessionId: string;
  /** Its number in the session, from 0. */
  readonly line: number;
  /** When it was stored. */
  readonly at: string;
  readonly excerpt: string;
}
