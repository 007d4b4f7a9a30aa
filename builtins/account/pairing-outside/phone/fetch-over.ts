// Implements `fetch` of a remotely paired device: sends the page's requests through the link to the host and streams the responses.
import type { Exchange, ExchangeListener } from '../link/exchange.ts';
import type { PhoneLink } from './phone-link.ts';

/** Maximum wait of a request for the link, in milliseconds; afterwards the page shows that the server is unreachable. */
const linkWaitMs = 8_000;
/** Statuses of responses without a body. */
const bodiless = new Set([204, 205, 304]);

/** Returns a `fetch` that uses the link. @param origin origin of the page: only requests below its `/api/` use the link */
export function fetchOver(link: Pick<PhoneLink, 'ready'>, origin: string): typeof fetch {
  const fetchOne: typeof fetch = async (input, init = {}) => {
    const address = new URL(input instanceof Request ? input.url : input, origin);
    if (address.origin !== origin || !address.pathname.startsWith('/api/')) return fetch(input, init);
    const { signal } = init;
    signal?.throwIfAborted();
    const exchanges = await link.ready(linkWaitMs);
    if (!exchanges) throw new TypeError('The computer does not respond.');
    signal?.throwIfAborted();
    return new Promise<Response>((resolve, reject) => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const fail = (fault: unknown): void => {
        reject(fault);
        writer.abort(fault).catch(ignore);
      };
      const listener: ExchangeListener = {
        head({ status, headers }) {
          const body = bodiless.has(Number(status)) ? null : readable;
          resolve(new Response(body, { status: Number(status), headers: headers as Record<string, string> }));
        },
        // The write resolves when the page reads the bytes.
        data: (bytes) => void writer.write(bytes.slice()).then(() => exchange.consumed(bytes.length), ignore),
        end: () => void writer.close().catch(ignore),
        reset: () => fail(new TypeError('The connection to the computer has ended.')),
      };
      const exchange = exchanges.open(listener);
      // The page cancelled the body.
      writer.closed.catch(() => exchange.reset());
      signal?.addEventListener('abort', () => fail(signal.reason), { once: true });
      const headers: Record<string, string> = {};
      new Headers(init.headers).forEach((value, name) => (headers[name] = value));
      exchange.head({ method: init.method ?? 'GET', path: address.pathname + address.search, headers });
      send(exchange, init.body).catch(ignore); // the exchange is closed, and the caller is notified
    });
  };
  return fetchOne;
}

async function send(exchange: Exchange, body: BodyInit | null | undefined): Promise<void> {
  if (body) await exchange.write(new Uint8Array(await new Response(body).arrayBuffer()));
  exchange.end();
}

function ignore(): void {}
