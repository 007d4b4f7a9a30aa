// Multiplexes the requests of a remotely paired device over its tunnel as separate streams with flow control. Runs in browsers too.
import { fieldsOf, kinds, encodeFrame, type Fields, type Frame } from '#lib/tunnel-codec';

/** Receives the data of one stream from the peer. */
export interface ExchangeListener {
  head(fields: Fields): void;
  /** Receives a piece of the body. Contract: call {@link Exchange.consumed} after consuming the bytes. */
  data(bytes: Uint8Array): void;
  end(): void;
  /** Called when the peer aborts the stream. */
  reset(): void;
}

/** One request with its reply, as seen from one peer. */
export interface Exchange {
  head(fields: Fields): void;
  /** Resolves when the stream accepts more data. Rejects when the stream is closed. */
  write(bytes: Uint8Array): Promise<void>;
  end(): void;
  reset(): void;
  /** Allows the peer to send this many more bytes. */
  consumed(bytes: number): void;
}

export interface Exchanges {
  /** Starts a request to the peer. */
  open(listener: ExchangeListener): Exchange;
  /** Handles a message from the peer. */
  take(frame: Frame): void;
  /** Closes all streams. */
  close(): void;
}

export interface ExchangesParts {
  readonly send: (message: Uint8Array) => void;
  /** Resolves when the link accepts more data. */
  readonly room: () => Promise<void>;
  /** Handles requests from the peer; if omitted, the peer cannot make requests. */
  readonly accept?: (exchange: Exchange) => ExchangeListener;
}

/** Flow-control window in bytes, per stream and direction. */
const windowBytes = 256 * 1024;
/** Number of consumed bytes after which the window is extended. */
const creditBytes = windowBytes / 4;
/** Maximum size of one piece in bytes, because an encrypted message has at most 64 kB. */
const pieceBytes = 48 * 1024;
/** Maximum number of streams that the peer may have open. */
const maxExchanges = 64;

interface Open {
  readonly listener: ExchangeListener;
  credit: number;
  unread: number;
  owed: number;
  isEnded: boolean;
  hasPeerEnded: boolean;
  wake(): void;
}

export function createExchanges({ send, room, accept }: ExchangesParts): Exchanges {
  const open = new Map<number, Open>();
  let lastId = 0;

  function begin(id: number, listen: (exchange: Exchange) => ExchangeListener): Exchange {
    let wake = (): void => undefined;
    const isOver = (): boolean => open.get(id) !== one || one.isEnded;
    const exchange: Exchange = {
      head: (fields) => void (isOver() || send(encodeFrame(kinds.head, id, fields))),
      async write(bytes) {
        for (let at = 0; at < bytes.length;) {
          await room();
          while (!isOver() && one.credit <= 0) await new Promise<void>((resolve) => (wake = resolve));
          if (isOver()) throw new Error('The request has ended.');
          const piece = bytes.subarray(at, at + Math.min(pieceBytes, one.credit));
          one.credit -= piece.length;
          at += piece.length;
          send(encodeFrame(kinds.data, id, piece));
        }
      },
      end() {
        if (isOver()) return;
        one.isEnded = true;
        send(encodeFrame(kinds.end, id));
        if (one.hasPeerEnded) open.delete(id);
      },
      reset() {
        if (open.get(id) !== one) return;
        open.delete(id);
        wake();
        send(encodeFrame(kinds.reset, id));
      },
      consumed(bytes) {
        one.unread -= bytes;
        one.owed += bytes;
        if (one.owed < creditBytes || open.get(id) !== one || one.hasPeerEnded) return;
        const credit = new Uint8Array(4);
        new DataView(credit.buffer).setUint32(0, one.owed);
        one.owed = 0;
        send(encodeFrame(kinds.credit, id, credit));
      },
    };
    const one: Open = {
      ...{ credit: windowBytes, unread: 0, owed: 0, isEnded: false, hasPeerEnded: false },
      listener: listen(exchange),
      wake: () => wake(),
    };
    open.set(id, one);
    return exchange;
  }

  function forget(id: number, one: Open): void {
    open.delete(id);
    one.wake();
    one.listener.reset();
  }

  function takeData(id: number, one: Open, content: Uint8Array): void {
    one.unread += content.length;
    // Closes a stream whose peer exceeds its window.
    if (one.unread <= windowBytes) return one.listener.data(content);
    send(encodeFrame(kinds.reset, id));
    forget(id, one);
  }

  return {
    open(listener) {
      lastId += 1;
      return begin(lastId, () => listener);
    },
    take(frame) {
      const { kind, id, content } = frame;
      const one = open.get(id);
      if (!one) {
        if (kind !== kinds.head || !accept || id <= lastId) return;
        lastId = id;
        if (open.size >= maxExchanges) return send(encodeFrame(kinds.reset, id));
        begin(id, accept);
        open.get(id)?.listener.head(fieldsOf(frame));
        return;
      }
      if (kind === kinds.head) one.listener.head(fieldsOf(frame));
      if (kind === kinds.data) takeData(id, one, content);
      if (kind === kinds.reset) forget(id, one);
      if (kind === kinds.credit && content.length === 4) {
        one.credit += new DataView(content.buffer, content.byteOffset, 4).getUint32(0);
        one.wake();
      }
      if (kind !== kinds.end) return;
      one.hasPeerEnded = true;
      if (one.isEnded) open.delete(id);
      one.listener.end();
    },
    close() {
      for (const [id, one] of [...open]) forget(id, one);
    },
  };
}
