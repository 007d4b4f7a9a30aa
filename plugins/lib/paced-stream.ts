// Reads an endless HTTP reply at intervals and pauses the socket in between, so many small writes by the server wake the reader only once. Uses a plain socket,
// because higher layers read without pausing.
import { connect } from 'node:net';
import { StringDecoder } from 'node:string_decoder';

export interface PacedReply {
  readonly status: number;
  /** Delivers decoded text in order. Resolves when the server closes the reply; rejects if the connection breaks or the read is aborted. Call only once. */
  read(onPiece: (text: string) => void): Promise<void>;
}

/** Maximum number of bytes per read. After a full read, more bytes are pending, so reading does not pause. */
const maxReadBytes = 65_536;
const maxHeadCharacters = 65_536;

/** Returns whether {@link openPaced} supports the URL; it does not support encrypted connections. */
export function canPace(url: string): boolean {
  return url.startsWith('http://');
}

/**
 * Sends a `GET` request; rejects if there is no reply.
 * @param everyMs interval between two pieces; the first piece after a pause is delivered immediately
 */
export function openPaced(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal, everyMs: number): Promise<PacedReply> {
  const { hostname, port, host, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    let head = '';
    let onPiece: ((text: string) => void) | undefined;
    /** Text received with the head, or before reading began. */
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
      onread: { buffer: Buffer.allocUnsafe(maxReadBytes), callback: (count, buffer) => take(Buffer.from(buffer.buffer, buffer.byteOffset, count)) },
    });

    /** Processes received bytes. Returns `false` if the socket must pause until it is resumed. */
    function take(bytes: Buffer): boolean {
      if (head !== 'over') return takeHead(bytes);
      const text = decoder.write(bytes);
      if (!onPiece) {
        early += text;
        return false;
      }
      if (text !== '') onPiece(text);
      if (bytes.length === maxReadBytes) return true;
      pace.refresh();
      return false;
    }

    function takeHead(bytes: Buffer): boolean {
      const before = head.length;
      head += bytes.toString('latin1');
      const over = head.indexOf('\r\n\r\n');
      if (over < 0) {
        if (head.length > maxHeadCharacters) socket.destroy(new Error('The reply has no valid HTTP head.'));
        return true;
      }
      const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(head) ?? [];
      const body = bytes.subarray(over + 4 - before);
      head = 'over';
      if (status === undefined) socket.destroy(new Error('The reply is not HTTP.'));
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

    const abort = (): void => void socket.destroy(new Error('Reading was aborted.'));
    socket.on('error', (error) => {
      fault = error;
    });
    socket.on('close', () => {
      isClosed = true;
      clearTimeout(pace);
      signal.removeEventListener('abort', abort);
      reject(fault ?? new Error('The connection was closed without a reply.')); // no effect after a reply
      finish();
    });
    socket.on('end', () => socket.destroy());
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    // With HTTP/1.0, the body is everything after the head, until the connection closes.
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${pathname}${search} HTTP/1.0\r\n${lines.join('')}\r\n`);
  });
}
