// Implements the server's proxy of one connected editor.
import type { TerminalCommand, TerminalEnd } from 'agent-harness/builtins/tools/shell';
import { untilAborted, withLimit } from '#lib/async';
import type { WebSocketConnection } from 'agent-harness/plugins/http';
import type { FromEditor, ToEditor } from './editor-frames.ts';

export interface Editor {
  /** Reads a file, or writes it if `text` is given. */
  ask(chatId: string, path: string, text: string | undefined, signal: AbortSignal | undefined): Promise<string>;
  run(chatId: string, command: TerminalCommand, signal: AbortSignal): Promise<TerminalEnd>;
  readonly gone: AbortSignal;
}

export interface EditorConnection {
  readonly editor: Editor;
  send(frame: ToEditor): void;
  settle(frame: Reply): void;
}

type Reply = Extract<FromEditor, { reply: number } | { ran: number }>;

/** Time limit for a file operation, in milliseconds. */
const readLimit = 10_000;
const writeLimit = 30_000;
/** Time limit for a stopped command to end, in milliseconds. */
const stopLimit = 1_800;

export function createEditor(connection: WebSocketConnection): EditorConnection {
  const waiting = new Map<number, { resolve(reply: Reply): void; reject(fault: Error): void }>();
  let last = 0;
  const gone = (): Error => new Error('it disconnected.');
  connection.signal.addEventListener('abort', () => waiting.forEach(({ reject }) => reject(gone())), { once: true });

  const send = (frame: ToEditor): void => connection.send(JSON.stringify(frame));

  function request(frame: (id: number) => ToEditor): { readonly id: number; readonly replied: Promise<Reply> } {
    if (connection.signal.aborted) throw gone();
    const id = ++last;
    const replied = new Promise<Reply>((resolve, reject) => waiting.set(id, { resolve, reject }));
    // A reply after the time limit is ignored.
    replied.catch(() => undefined);
    send(frame(id));
    return { id, replied };
  }

  function forget(id: number): void {
    // Stops a command whose reply is missing.
    if (waiting.delete(id) && !connection.signal.aborted) send({ stop: id });
  }

  return {
    send,
    settle(frame) {
      const id = 'ran' in frame ? frame.ran : frame.reply;
      const one = waiting.get(id);
      waiting.delete(id);
      if ('fault' in frame) one?.reject(new Error(frame.fault));
      else one?.resolve(frame);
    },
    editor: {
      gone: connection.signal,
      async ask(chatId, path, text, signal) {
        const { id, replied } = request((ask) => ({ ask, chatId, path, ...(text === undefined ? {} : { text }) }));
        const limit = text === undefined ? readLimit : writeLimit;
        const late = (): never => {
          throw new Error(`it did not respond within ${limit / 1_000} s.`);
        };
        try {
          const reply = await withLimit(signal ? untilAborted(replied, signal) : replied, limit, late);
          if ('text' in reply) return reply.text;
          throw new Error('its reply has no text.');
        } finally {
          forget(id);
        }
      },
      async run(chatId, command, signal) {
        signal.throwIfAborted();
        const { id, replied } = request((run) => ({ run, chatId, command }));
        const stop = (): void => send({ stop: id });
        signal.addEventListener('abort', stop, { once: true });
        try {
          const reply = await untilAborted(replied, signal, stopLimit);
          if (!('ran' in reply)) throw new Error('its reply does not describe the command.');
          return { exitCode: reply.exitCode, signal: reply.signal, output: reply.output, isCut: reply.isCut };
        } catch (fault) {
          if (connection.signal.aborted) throw new Error('it disconnected, and it is unknown whether the command ended.', { cause: fault });
          if (signal.aborted && waiting.has(id)) throw new Error('it does not report the end of the command.', { cause: fault });
          throw fault;
        } finally {
          signal.removeEventListener('abort', stop);
          forget(id);
        }
      },
    },
  };
}
