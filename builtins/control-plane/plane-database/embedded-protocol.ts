// Defines the messages to and from the thread that has the embedded database open.

export type EmbeddedRequest =
  | { readonly op: 'query'; readonly sql: string; readonly parameters?: readonly (string | null)[]; readonly session?: string }
  /** From here on until its end, no statements of other sessions run. `isLong`: it may be idle without limit. */
  | { readonly op: 'begin'; readonly session: string; readonly isLong?: boolean }
  | { readonly op: 'end'; readonly session: string; readonly how: 'commit' | 'rollback' };

export interface EmbeddedRows {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Columns that contain bytes, whose type is lost in transit. */
  readonly byteColumns: readonly string[];
}

/** What a database error has besides its message; without `code`, the session or the thread had ended. */
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
  /** `make`: the folder is created and closed, because the memory this takes stays with the thread. */
  readonly task: 'make' | 'serve';
  /** One number: the id of the request whose statement runs, or 0. */
  readonly running: SharedArrayBuffer;
}

export function readFault(fault: EmbeddedFault): Error {
  const { message, ...rest } = fault;
  return Object.assign(new Error(message), rest);
}
