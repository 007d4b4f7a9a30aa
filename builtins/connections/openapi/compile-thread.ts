// Compiles a document in a worker thread, because a large one takes seconds of CPU time.
import { runInThread } from '#lib/worker';
import { UnreadableDocument } from './read-document.ts';

export interface CompileTask {
  readonly name: string;
  /** The document, as an object or as text. */
  readonly spec: unknown;
  readonly specUrl?: string;
  readonly baseUrl?: string;
  /** Lower-case names of parameters that carry credentials. */
  readonly ownNames: readonly string[];
  /** Names of other tools. */
  readonly taken: readonly string[];
}

/** An authentication scheme of the document. */
export interface SecurityScheme {
  readonly type: string;
  readonly in?: string;
  readonly name?: string;
  readonly scheme?: string;
}

export interface CompiledTable {
  readonly title: string;
  readonly toolCount: number;
  readonly baseUrl: string;
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /** The document with its referenced parts as JSON. */
  readonly source: string;
  readonly packed: Uint8Array;
}

export type ThreadMessage =
  /** Requests a part of the document; {@link ThreadReply} answers. */
  | { readonly kind: 'read'; readonly id: number; readonly url: string }
  | { readonly kind: 'end'; readonly table: CompiledTable }
  /** An error from the plugin's error table, or an unexpected error. */
  | { readonly kind: 'fault'; readonly reason?: string; readonly details?: Readonly<Record<string, unknown>>; readonly message: string };

export interface ThreadReply {
  readonly id: number;
  readonly text?: string;
  readonly fault?: { readonly reason: string; readonly message: string };
}

export class CompileFault extends Error {
  /** Reason in the plugin's error table; `undefined` for an internal error. */
  readonly reason: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  constructor(message: string, reason?: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.reason = reason;
    this.details = details;
  }
}

/** Compiles a document. Rejects with a {@link CompileFault}, or with the signal's reason. The thread has ended when the promise settles. */
export function compileInThread(task: CompileTask, readText: (url: string) => Promise<string>, signal: AbortSignal): Promise<CompiledTable> {
  const answer = async (id: number, url: string): Promise<ThreadReply> => {
    try {
      return { id, text: await readText(url) };
    } catch (fault) {
      if (fault instanceof UnreadableDocument) return { id, fault: { reason: fault.reason, message: fault.message } };
      return { id, fault: { reason: 'NOT_FETCHED', message: String(fault) } };
    }
  };
  return runInThread<ThreadMessage, CompiledTable>('openapi', { data: task }, signal, {
    onMessage(message, settle, worker) {
      if (message.kind === 'read') void answer(message.id, message.url).then((reply) => worker.postMessage(reply));
      else
        settle(() => {
          if (message.kind === 'end') return message.table;
          throw new CompileFault(message.message, message.reason, message.details);
        });
    },
    onStop({ message }) {
      throw new CompileFault(`The document could not be read: ${message}.`);
    },
  });
}
