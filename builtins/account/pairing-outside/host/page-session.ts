// Serves a connected device: checks its token first, then forwards each of its requests to the server with that token.
import { request as ask, type IncomingMessage } from 'node:http';
import { createSerialQueue } from '#lib/async';
import { isRecord } from '#lib/values';
import { createExchanges, type Exchange, type ExchangeListener } from '../link/exchange.ts';
import { fieldsOf, kinds, linkVersion, readFrame, writeFrame } from '../link/frame.ts';
import type { DeviceLine, DeviceUser } from './device-session.ts';

export interface PageSessionParts {
  /** Checks a token; resolves with whether it belongs to the device of this link. */
  readonly admits: (token: string) => Promise<boolean>;
  /** Address of a listener that treats no client as the local user, such as `http://127.0.0.1:40123`. */
  readonly listenerAddress: () => Promise<string>;
  readonly version: string;
}

/** Reason for releasing a device, sent to its page. */
export type Goodbye = 'revoked' | 'version' | 'used';

/** Builds the last message to a device. */
export const goodbye = (why: Goodbye): Uint8Array => writeFrame(kinds.goodbye, 0, { why });

/** A device may not set other headers, because they identify the origin of a request. */
const requestHeaders = ['accept', 'content-type', 'range', 'if-range', 'if-none-match', 'last-event-id'];
const responseHeaders = ['content-type', 'content-length', 'content-range', 'accept-ranges', 'content-disposition', 'etag', 'cache-control', 'retry-after'];
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Forwards the requests of a device after it sent a valid token. */
export function servePage(line: DeviceLine, { admits, listenerAddress, version }: PageSessionParts): DeviceUser {
  let token: string | undefined;
  const exchanges = createExchanges({ send: (message) => line.send(message), room: () => line.room(), accept });

  async function greet(fields: Readonly<Record<string, unknown>>): Promise<void> {
    const { v, token: given } = fields;
    if (v !== linkVersion) return line.finish(goodbye('version'));
    if (typeof given !== 'string' || !(await admits(given).catch(() => false))) return line.finish(goodbye('revoked'));
    token = given;
    line.send(writeFrame(kinds.greeting, 0, { v: linkVersion, version }));
  }

  function accept(exchange: Exchange): ExchangeListener {
    let forwarding: Forwarding | undefined;
    return {
      head(fields) {
        if (forwarding) return;
        const request = token === undefined ? undefined : readHead(fields);
        if (!request || token === undefined) return exchange.reset();
        forwarding = forwardRequest(request, token, listenerAddress, exchange);
      },
      data: (bytes) => forwarding?.write(bytes),
      end: () => forwarding?.end(),
      reset: () => forwarding?.stop(),
    };
  }

  return {
    take(message) {
      const frame = readFrame(message);
      if (frame?.kind === kinds.greeting) void greet(fieldsOf(frame));
      else if (frame) exchanges.take(frame);
    },
    close: () => exchanges.close(),
  };
}

interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Accepts only requests that the page itself makes. */
function readHead({ method, path, headers }: Readonly<Record<string, unknown>>): PageRequest | undefined {
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
