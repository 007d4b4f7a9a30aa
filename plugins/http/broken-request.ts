// Answers what is not even HTTP, too slow, or too large to be read.
import type { Duplex } from 'node:stream';
import { codeOf } from 'agent-harness/lib/errors';
import { toErrorReply } from './error-reply.ts';
import type { MakeError } from './error-table.ts';

const reasons: Readonly<Record<string, string>> = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' };

export function answerBrokenRequest(fault: Error, socket: Duplex, requestId: string, makeError: MakeError): void {
  if (!socket.writable || codeOf(fault) === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const reply = toErrorReply(toError(fault, makeError), requestId, makeError);
  const headers = { ...reply.headers, connection: 'close', 'x-content-type-options': 'nosniff', 'content-length': String(Buffer.byteLength(reply.body)) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${reply.status} ${reasons[reply.status] ?? 'Error'}\r\n${lines.join('')}\r\n${reply.body}`);
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
