// Serves a connected device: checks its token first, then forwards each of its requests to the server with that token.
import { request as ask, type IncomingMessage } from 'node:http';
import { createSerialQueue } from '#lib/async';
import { encodeGoodbye, encodeGreeting, type Fields } from '#lib/tunnel-codec';
import type { TunnelLine, TunnelUser } from '#lib/tunnel-host';
import { isRecord } from '#lib/values';
import { createExchanges, type Exchange, type ExchangeListener } from '../link/exchange.ts';

export interface PageSessionParts {
  /** Resolves with whether the token belongs to the device of this link. */
  readonly admits: (token: string) => Promise<boolean>;
  /** Address of a listener that treats no client as the local user, such as `http://127.0.0.1:40123`. */
  readonly listenerAddress: () => Promise<string>;
  readonly version: string;
}

/** A device may not set other headers, because they identify the origin of a request. */
const requestHeaders = ['accept', 'content-type', 'range', 'if-range', 'if-none-match', 'last-event-id'];
const responseHeaders = ['content-type', 'content-length', 'content-range', 'accept-ranges', 'content-disposition', 'etag', 'cache-control', 'retry-after'];
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Forwards the requests of a device after verifying the token in its greeting. */
export function servePage(line: TunnelLine, { token }: Fields, { admits, listenerAddress, version }: PageSessionParts): TunnelUser {
  let isAdmitted = false;
  const exchanges = createExchanges({ send: (message) => line.send(message), room: () => line.room(), accept });
  void greet();

  async function greet(): Promise<void> {
    isAdmitted = typeof token === 'string' && (await admits(token).catch(() => false));
    if (isAdmitted) line.send(encodeGreeting({ version }));
    else line.finish(encodeGoodbye('revoked'));
  }

  function accept(exchange: Exchange): ExchangeListener {
    let forwarding: Forwarding | undefined;
    return {
      head(fields) {
        if (forwarding) return;
        const request = isAdmitted ? readHead(fields) : undefined;
        if (!request) return exchange.reset();
        forwarding = forwardRequest(request, String(token), listenerAddress, exchange);
      },
      data: (bytes) => forwarding?.write(bytes),
      end: () => forwarding?.end(),
      reset: () => forwarding?.stop(),
    };
  }

  return { take: (frame) => exchanges.take(frame), close: () => exchanges.close() };
}

interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Accepts only requests that the page itself makes. */
function readHead({ method, path, headers }: Fields): PageRequest | undefined {
  if (typeof method !== 'string' || !methods.has(method) || typeof path !== 'string' || !/^\/api\/[\x21-\x7e]*$/.test(path)) return undefined;
  const given = Object.entries(isRecord(headers) ? headers : {});
  const allowed = given.filter(
    (entry): entry is [string, string] => requestHeaders.includes(entry[0]) && typeof entry[1] === 'string' && /^[\x20-\x7e]*$/.test(entry[1]),
  );
  return { method, path, headers: Object.fromEntries(allowed) };
}

interface Forwarding {
  write(bytes: Uint8Array): void;
  end(): void;
  stop(): void;
}

function forwardRequest({ method, path, headers }: PageRequest, token: string, listenerAddress: () => Promise<string>, exchange: Exchange): Forwarding {
  const stopping = new AbortController();
  const opening = listenerAddress().then((url) => {
    const request = ask(url + path, {
      ...{ method, signal: stopping.signal, agent: false },
      headers: { ...headers, authorization: `Bearer ${token}`, ...(method === 'GET' ? {} : { 'transfer-encoding': 'chunked' }) },
    });
    request.on('response', (reply) => void forwardResponse(reply, exchange));
    request.on('error', () => exchange.reset());
    return request;
  });
  opening.catch(() => exchange.reset());
  const turns = createSerialQueue();
  const next = (work: (request: Awaited<typeof opening>) => void): void => {
    turns.run(async () => work(await opening)).catch(() => undefined); // the exchange was reset
  };
  return {
    write: (bytes) => next((request) => void request.write(bytes, () => exchange.consumed(bytes.length))),
    end: () => next((request) => void request.end()),
    stop: () => stopping.abort(),
  };
}

async function forwardResponse(reply: IncomingMessage, exchange: Exchange): Promise<void> {
  const headers = responseHeaders.flatMap((name) => (reply.headers[name] === undefined ? [] : [[name, String(reply.headers[name])]]));
  exchange.head({ status: reply.statusCode, headers: Object.fromEntries(headers) });
  try {
    for await (const bytes of reply) await exchange.write(bytes as Buffer);
    exchange.end();
  } catch {
    reply.destroy();
    exchange.reset();
  }
}
