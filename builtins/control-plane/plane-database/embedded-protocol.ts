// What is said to the thread that has the embedded database, and what it answers.

export type EmbeddedRequest =
  | { readonly op: 'query'; readonly sql: string; readonly parameters?: readonly (string | null)[]; readonly session?: string }
  /** From here on until its end, nobody else's statements run. `isLong`: it may be idle for as long as it takes. */
  | { readonly op: 'begin'; readonly session: string; readonly isLong?: boolean }
  | { readonly op: 'end'; readonly session: string; readonly how: 'commit' | 'rollback' };

export interface EmbeddedRows {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Columns that hold bytes, which lose their kind on the way. */
  readonly byteColumns: readonly string[];
}

/** What an error of the database has beside its message; of one without `code`, the session or the thread was over. */
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
  /** `make`: the folder is made and left, because what that takes stays with the thread. */
  readonly task: 'make' | 'serve';
  /** One number: the id of the request whose statement runs, or 0. */
  readonly running: SharedArrayBuffer;
}

export function readFault(fault: EmbeddedFault): Error {
  const { message, ...rest } = fault;
  return Object.assign(new Error(message), rest);
}
