// Answers what is not even HTTP, too slow, or too large to be read.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { codeOf } from 'agent-harness/lib/errors';
import { toErrorReply, type ErrorReply } from './error-reply.ts';
import type { MakeError } from './error-table.ts';

export function answerBrokenRequest(fault: Error, socket: Duplex, requestId: string, makeError: MakeError): void {
  if (!socket.writable || codeOf(fault) === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  endWith(socket, toErrorReply(toError(fault, makeError), requestId, makeError));
}

/** An answer where there is no response to write it to. */
export function endWith(socket: Duplex, reply: ErrorReply): void {
  const headers = { ...reply.headers, connection: 'close', 'x-content-type-options': 'nosniff', 'content-length': String(Buffer.byteLength(reply.body)) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? 'Error'}\r\n${lines.join('')}\r\n${reply.body}`);
}

function toError(fault: Error, makeError: MakeError): Error {
  switch (codeOf(fault)) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return makeError('REQUEST_TIMEOUT');
    case 'HPE_HEADER_OVERFLOW':
      return makeError('HEADERS_TOO_LARGE');
    default:
      return makeError('INVALID_REQUEST', { pointer: '', rule: 'http', why: 'it is not HTTP.' });
  }
}
