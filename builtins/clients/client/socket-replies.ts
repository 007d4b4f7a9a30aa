// Matches responses to commands on a WebSocket.
import { isRecord } from '#lib/values';
import { CallError } from './api.ts';

export interface Replies {
  /** Returns the next command as text; call {@link wait} for its response. */
  frame(command: string, data: object): string;
  /**
   * Waits for the response.
   * @param isSafe whether the command is read-only. If the connection ends first, the error code of such a command is `ask_again`, because it may be repeated
   * over HTTP
   */
  wait(send: () => void, signal: AbortSignal | undefined, isSafe: boolean): Promise<unknown>;
  settle(frame: Readonly<Record<string, unknown>>): void;
  /** Rejects the pending responses, because the connection was lost. */
  lose(): void;
}

interface Waiting {
  readonly isSafe: boolean;
  resolve(data: unknown): void;
  reject(fault: CallError): void;
}

export function createReplies(): Replies {
  const waiting = new Map<unknown, Waiting>();
  let lastId = 0;
  return {
    frame: (command, data) => JSON.stringify({ v: 1, id: ++lastId, command, data }),
    wait(send, signal, isSafe) {
      const id = lastId;
      return new Promise<unknown>((resolve, reject) => {
        const giveUp = (): void => {
          waiting.delete(id);
          reject(new CallError('The request was cancelled.', 'aborted', 0));
        };
        if (signal?.aborted) return giveUp();
        signal?.addEventListener('abort', giveUp, { once: true });
        const done = (): void => signal?.removeEventListener('abort', giveUp);
        waiting.set(id, {
          isSafe,
          resolve: (data) => (done(), resolve(data)),
          reject: (fault) => (done(), reject(fault)),
        });
        send();
      });
    },
    settle({ re, ok, status, data, error }) {
      const one = waiting.get(re);
      waiting.delete(re);
      if (ok === true) return one?.resolve(data);
      const {
        code = 'unknown',
        message = 'The server refused.',
        details,
      } = (isRecord(error) ? error : {}) as { code?: string; message?: string; details?: Readonly<Record<string, unknown>> };
      one?.reject(new CallError(message, code, Number(status) || 0, details));
    },
    lose() {
      const lost = [...waiting.values()];
      waiting.clear();
      for (const { isSafe, reject } of lost) reject(new CallError('The connection ended before the reply arrived.', isSafe ? 'ask_again' : 'network', 0));
    },
  };
}
