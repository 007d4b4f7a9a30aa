// Sends many requests over a few keep-alive connections and aborts streams that would stay open.
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import type { FuzzRequest } from './fuzz-requests.ts';

export interface FuzzReply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export interface FuzzClient {
  /** Rejects on a timeout or a connection failure. */
  send(sent: FuzzRequest): Promise<FuzzReply>;
  close(): void;
}

/** Only ends requests that hang: eight at a time share a busy machine. */
const answerMs = 60_000;

export function createFuzzClient(url: string, token: string, connections: number): FuzzClient {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  /** Connections used by an earlier request. The request's own `reusedSocket` does not cover the time in the agent's queue. */
  const used = new WeakSet<Socket>();
  const isReused = new WeakMap<Error, boolean>();

  function sendOnce({ method, path, headers, body }: FuzzRequest): Promise<FuzzReply> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const sent = request({ hostname, port, method, path, agent, headers: { authorization: `Bearer ${token}`, ...length, ...headers } }, (response) => {
        const { statusCode: status = 0 } = response;
        const type = response.headers['content-type'] ?? '';
        let text = '';
        const settle = (): void => resolve({ status, type, text });
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('error', reject).on('end', settle);
        if (!type.startsWith('text/event-stream')) return;
        settle();
        sent.on('error', () => undefined).destroy();
      });
      let wasUsed = false;
      sent.on('socket', (socket) => {
        wasUsed = used.has(socket);
        used.add(socket);
      });
      sent.on('error', (fault: NodeJS.ErrnoException) => {
        isReused.set(fault, wasUsed);
        // A server that cannot parse a request does not know that it was HEAD, so the reply has a body. The connection is closed anyway.
        if (method === 'HEAD' && fault.code === 'HPE_CLOSED_CONNECTION') resolve({ status: 431, type: '', text: '' });
        else reject(fault);
      });
      sent.setTimeout(answerMs, () => sent.destroy(new Error('was not answered')));
      sent.end(body);
    });
  }

  /** The server may close keep-alive connections just when they are reused, several at the same time. Only a fault on a new connection counts. */
  const sendOnOpenConnection = (sent: FuzzRequest): Promise<FuzzReply> =>
    sendOnce(sent).catch((fault: NodeJS.ErrnoException) =>
      isReused.get(fault) === true && (fault.code === 'ECONNRESET' || fault.code === 'EPIPE') ? sendOnOpenConnection(sent) : Promise.reject(fault),
    );

  return {
    send: sendOnOpenConnection,
    close: () => agent.destroy(),
  };
}
