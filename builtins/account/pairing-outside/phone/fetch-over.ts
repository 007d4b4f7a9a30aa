// Implements `fetch` of a remotely paired device: sends the page's requests through the link to the host and streams the responses.
import type { ExchangeListener } from '../link/exchange.ts';
import type { PhoneLink } from './phone-link.ts';

/** Maximum wait of a request for the link, in milliseconds; afterwards the page shows that the server is unreachable. */
const linkWaitMs = 8_000;

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
      const { listener, fail } = receive(
        resolve,
        reject,
        (bytes) => exchange.consumed(bytes),
        () => exchange.reset(),
      );
      const exchange = exchanges.open(listener);
      signal?.addEventListener(
        'abort',
        () => {
          exchange.reset();
          fail(signal.reason);
        },
        { once: true },
      );
      const headers: Record<string, string> = {};
      new Headers(init.headers).forEach((value, name) => (headers[name] = value));
      exchange.head({ method: init.method ?? 'GET', path: address.pathname + address.search, headers });
      void send(init.body ?? undefined);

      async function send(body: BodyInit | undefined): Promise<void> {
        try {
          if (body !== undefined) await exchange.write(new Uint8Array(await new Response(body).arrayBuffer()));
          exchange.end();
        } catch {
          // the exchange is closed, and the caller is notified
        }
      }
    });
  };
  return fetchOne;
}

/** Statuses of responses without a body. */
const bodiless = new Set([204, 205, 304]);

function receive(resolve: (reply: Response) => void, reject: (fault: unknown) => void, consumed: (bytes: number) => void, reset: () => void) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isOver = false;
  /** Received chunks, oldest first. */
  const unread: Uint8Array[] = [];
  let hasEnded = false;

  function fail(fault: unknown): void {
    if (isOver) return;
    isOver = true;
    reject(fault);
    controller?.error(fault);
  }

  function deliver(): void {
    if (isOver || !controller) return;
    while (unread.length > 0 && (controller.desiredSize ?? 0) > 0) {
      const bytes = unread.shift() as Uint8Array;
      controller.enqueue(bytes);
      consumed(bytes.length);
    }
    if (!hasEnded || unread.length > 0) return;
    isOver = true;
    controller.close();
  }

  const listener: ExchangeListener = {
    head({ status, headers }) {
      const number = Number(status);
      const isBodiless = bodiless.has(number);
      const body = new ReadableStream<Uint8Array>({
        start: (own) => void (controller = own),
        pull: deliver,
        cancel() {
          isOver = true;
          reset();
        },
      });
      resolve(new Response(isBodiless ? null : body, { status: number, headers: headers as Record<string, string> }));
    },
    data(bytes) {
      unread.push(bytes.slice());
      deliver();
    },
    end() {
      hasEnded = true;
      deliver();
    },
    reset: () => fail(new TypeError('The connection to the computer has ended.')),
  };
  return { listener, fail };
}
