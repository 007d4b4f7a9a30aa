// A reply without an end that is read at a pace: in between the socket is left alone, so that many small writes of a server wake its
// reader once. Over a plain socket, since everything above it reads on.
import { connect } from 'node:net';
import { StringDecoder } from 'node:string_decoder';

export interface PacedReply {
  readonly status: number;
  /** Hands over what comes, decoded, in order. Resolves when the server closed it; rejects when it broke or was aborted. Called once. */
  read(onPiece: (text: string) => void): Promise<void>;
}

/** Bytes that are read at once; where so many came, more wait, and nobody pauses. */
const mostAtOnce = 65_536;
/** Characters. */
const longestHead = 65_536;

/** Whether {@link openPaced} can read from there: not where the connection has to be encrypted. */
export function canPace(url: string): boolean {
  return url.startsWith('http://');
}

/**
 * Asks with `GET`; rejects where nobody answers.
 * @param everyMs between two pieces; the first one after a silence comes at once
 */
export function openPaced(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal, everyMs: number): Promise<PacedReply> {
  const { hostname, port, host, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    let head = '';
    let onPiece: ((text: string) => void) | undefined;
    /** Came together with the head, or before anybody read. */
    let early = '';
    let end: { readonly resolve: () => void; readonly reject: (fault: Error) => void } | undefined;
    let fault: Error | undefined;
    let isClosed = false;
    const decoder = new StringDecoder('utf8');
    const pace = setTimeout(() => socket.resume(), everyMs);
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port === '' ? 80 : port),
      noDelay: true,
      onread: { buffer: Buffer.allocUnsafe(mostAtOnce), callback: (count, buffer) => take(Buffer.from(buffer.buffer, buffer.byteOffset, count)) },
    });

    /** False where the socket is not to be read until it is resumed. */
    function take(bytes: Buffer): boolean {
      if (head !== 'over') return takeHead(bytes);
      const text = decoder.write(bytes);
      if (!onPiece) {
        early += text;
        return false;
      }
      if (text !== '') onPiece(text);
      if (bytes.length === mostAtOnce) return true;
      pace.refresh();
      return false;
    }

    function takeHead(bytes: Buffer): boolean {
      const before = head.length;
      head += bytes.toString('latin1');
      const over = head.indexOf('\r\n\r\n');
      if (over < 0) {
        if (head.length > longestHead) socket.destroy(new Error('The reply begins with no head.'));
        return true;
      }
      const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(head) ?? [];
      const body = bytes.subarray(over + 4 - before);
      head = 'over';
      if (status === undefined) socket.destroy(new Error('The reply is none of HTTP.'));
      else {
        resolve({ status: Number(status), read });
        return take(body);
      }
      return true;
    }

    function read(listener: (text: string) => void): Promise<void> {
      return new Promise((done, failed) => {
        end = { resolve: done, reject: failed };
        onPiece = listener;
        if (early !== '') listener(early);
        early = '';
        if (isClosed) finish();
        else socket.resume();
      });
    }

    function finish(): void {
      if (fault) end?.reject(fault);
      else end?.resolve();
    }

    const abort = (): void => void socket.destroy(new Error('The reading was given up.'));
    socket.on('error', (error) => {
      fault = error;
    });
    socket.on('close', () => {
      isClosed = true;
      clearTimeout(pace);
      signal.removeEventListener('abort', abort);
      reject(fault ?? new Error('The connection was closed without an answer.')); // nothing where it was answered
      finish();
    });
    socket.on('end', () => socket.destroy());
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    // Of version 1.0: what follows the head is the body and nothing else, until the connection is closed.
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${pathname}${search} HTTP/1.0\r\n${lines.join('')}\r\n`);
  });
}
