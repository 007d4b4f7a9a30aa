// Implements the browser's debugging protocol over two pipes. No port is opened, and the browser ends when the pipes close.
import type { Readable, Writable } from 'node:stream';

export interface CdpEvent {
  readonly method: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the protocol defines a type for each event
  readonly params: any;
  /** Id of the session; omitted for the browser as a whole. */
  readonly sessionId?: string;
}

export interface CdpPipe {
  /** Calls a method. Rejects with the browser's error message, and when the browser has ended. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the protocol defines a type for each method
  send(method: string, params?: object, sessionId?: string): Promise<any>;
  /** Returns a function that removes the listener. */
  listen(listener: (event: CdpEvent) => void): () => void;
  /** Rejects all pending calls. */
  end(reason: Error): void;
}

interface Waiting {
  readonly method: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the result type depends on the method
  resolve(result: any): void;
  reject(fault: Error): void;
}

/** Creates the connection. @param onFault called when a listener throws, because an error in one event must not end the connection */
export function createCdpPipe(input: Writable, output: Readable, onFault: (fault: unknown) => void): CdpPipe {
  const waiting = new Map<number, Waiting>();
  const listeners = new Set<(event: CdpEvent) => void>();
  let count = 0;
  let over: Error | undefined;
  let rest: Buffer[] = [];

  function take(text: string): void {
    const { id, error, result, ...event } = JSON.parse(text) as CdpEvent & { id?: number; error?: { message: string }; result?: unknown };
    if (id === undefined) {
      for (const listener of [...listeners]) {
        try {
          listener(event);
        } catch (fault) {
          onFault(fault);
        }
      }
      return;
    }
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error) asked?.reject(new Error(`${asked.method}: ${error.message}`));
    else asked?.resolve(result);
  }

  function end(reason: Error): void {
    over ??= reason;
    for (const { reject } of waiting.values()) reject(over);
    waiting.clear();
  }

  // A message ends with a zero byte; an image arrives in many chunks.
  output.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, from)) {
      const text = Buffer.concat([...rest, chunk.subarray(from, at)]).toString('utf8');
      rest = [];
      from = at + 1;
      take(text);
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  });
  const gone = (): void => end(new Error('The browser has ended.'));
  output.once('close', gone).on('error', gone);
  input.on('error', gone);

  return {
    send(method, params = {}, sessionId) {
      if (over) return Promise.reject(over);
      const id = ++count;
      return new Promise((resolve, reject) => {
        waiting.set(id, { method, resolve, reject });
        input.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`);
      });
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    end,
  };
}
