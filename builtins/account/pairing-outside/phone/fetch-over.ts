// Implements `fetch` through a link: the page's requests go to the host, and responses come back piece by piece.
import type { ExchangeListener } from '../link/exchange.ts';
import type { PhoneLink } from './phone-link.ts';

/** A request without a link waits no longer than this: the page itself shows that it waits for its server. */
const patienceMs = 8_000;

/** @param origin of the page: everything below its `/api/` goes over the link, and nothing else does */
export function fetchOver(link: Pick<PhoneLink, 'ready'>, origin: string): typeof fetch {
  const fetchOne: typeof fetch = async (input, init = {}) => {
    const address = new URL(input instanceof Request ? input.url : input, origin);
    if (address.origin !== origin || !address.pathname.startsWith('/api/')) return fetch(input, init);
    const { signal } = init;
    signal?.throwIfAborted();
    const exchanges = await link.ready(patienceMs);
    if (!exchanges) throw new TypeError('The computer does not answer.');
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
          // it is over, and the caller is notified of that
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
  /** Not passed on yet, oldest first. */
  const unread: Uint8Array[] = [];
  let hasEnded = false;

  function fail(fault: unknown): void {
    if (isOver) return;
    isOver = true;
    reject(fault);
    controller?.error(fault);
  }

  function hand(): void {
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
        pull: hand,
        cancel() {
          isOver = true;
          reset();
        },
      });
      resolve(new Response(isBodiless ? null : body, { status: number, headers: headers as Record<string, string> }));
    },
    data(bytes) {
      unread.push(bytes.slice());
      hand();
    },
    end() {
      hasEnded = true;
      hand();
    },
    reset: () => fail(new TypeError('The connection to the computer ended.')),
  };
  return { listener, fail };
}
