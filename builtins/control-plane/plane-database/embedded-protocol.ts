// Defines the messages between this process and the embedded database's thread.

export type EmbeddedRequest =
  | { readonly op: 'query'; readonly sql: string; readonly parameters?: readonly (string | null)[]; readonly session?: string }
  /** Blocks statements of other sessions until the transaction ends. `isLong`: without the idle limit. */
  | { readonly op: 'begin'; readonly session: string; readonly isLong?: boolean }
  | { readonly op: 'end'; readonly session: string; readonly how: 'commit' | 'rollback' };

export interface EmbeddedRows {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Names of columns that contain bytes; their type is lost during the transfer. */
  readonly byteColumns: readonly string[];
}

/** Fields of a database error besides its message. Without `code`, the session or the thread has ended. */
export interface EmbeddedFault {
  readonly message: string;
  readonly code?: string;
  readonly detail?: string;
  readonly constraint?: string;
  readonly table?: string;
  readonly column?: string;
}

export type ToThread = { readonly id: number; readonly request: EmbeddedRequest } | { readonly cancel: number } | { readonly close: true };

export type FromThread =
  | { readonly id: number; readonly answer: EmbeddedRows }
  | { readonly id: number; readonly fault: EmbeddedFault }
  | { readonly state: 'ready' | 'closed' | 'not-installed' }
  | { readonly state: 'failed'; readonly why: string };

export interface EmbeddedTask {
  readonly folder: string;
  /** `make`: creates the folder and then ends the thread, which frees the memory that the creation used. */
  readonly task: 'make' | 'serve';
  /** Id of the request whose statement is running; 0 if none is. */
  readonly running: SharedArrayBuffer;
}

export function readFault(fault: EmbeddedFault): Error {
  const { message, ...rest } = fault;
  return Object.assign(new Error(message), rest);
}
