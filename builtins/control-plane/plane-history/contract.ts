// Sessions that people keep on a control plane: what goes over the wire.

/** The body of `POST /api/pro/session_history`. */
export interface HistoryChunk {
  /** Of the person: `chat_…`. */
  readonly sessionId: string;
  /** Counts up from 0 without a gap. */
  readonly seq: number;
  readonly lines: readonly string[];
  /** SHA-256 in hex of the lines joined by LF. */
  readonly sha256: string;
}

export interface HistoryStored {
  /** Lines that are new now; 0 where the chunk was there. */
  readonly stored: number;
  /** Lines of the session. */
  readonly total: number;
}

/** What `GET ?sessionId=` says of a session beside its lines. */
export interface HistoryPage {
  readonly lines: readonly string[];
  /** The number of the next line; left out on the last page. */
  readonly cursor?: number;
  readonly total: number;
  /** The `seq` that comes next: where an upload goes on. */
  readonly nextSeq: number;
}

/** A kept session, in the list of them. */
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
