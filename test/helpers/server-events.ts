// Reads server-sent events with JSON data: stores every event and waits for specific ones.
import { createParser } from 'eventsource-parser';

export interface ServerEvent<T> {
  readonly id: string | undefined;
  readonly data: T;
}

export interface ServerEvents<T> {
  readonly events: ServerEvent<T>[];
  /** Resolves with the first matching event, past or future. Rejects if the stream ends, or has ended, first. */
  until(fits: (data: T) => boolean): Promise<ServerEvent<T>>;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

/**
 * Resolves when the stream is open. Rejects with status and body if the server refuses it. The caller closes it.
 * @param take receives the text and the value of each event
 */
export async function openServerEvents<T = any>(
  url: string,
  headers: Readonly<Record<string, string>>,
  take: (json: string, data: T) => void = () => undefined,
): Promise<ServerEvents<T>> {
  const abort = new AbortController();
  const events: ServerEvent<T>[] = [];
  const waiting = new Set<{ fits: (data: T) => boolean; resolve: (event: ServerEvent<T>) => void; reject: (fault: Error) => void }>();
  const reply = await fetch(url, { headers, signal: abort.signal });
  if (!reply.ok || !reply.body) throw new Error(`the stream answered ${reply.status}: ${await reply.text()}`);
  const parser = createParser({
    onEvent(message) {
      const event = { id: message.id, data: JSON.parse(message.data) as T };
      events.push(event);
      take(message.data, event.data);
      for (const one of waiting) {
        if (!one.fits(event.data)) continue;
        waiting.delete(one);
        one.resolve(event);
      }
    },
  });
  const { body } = reply;
  let isOver = false;
  const overFault = (): Error => new Error(`the stream ended; seen: ${JSON.stringify(events.slice(-5))}`);
  const ended = (async () => {
    const decoder = new TextDecoder();
    try {
      for await (const piece of body as unknown as AsyncIterable<Uint8Array>) parser.feed(decoder.decode(piece, { stream: true }));
    } catch {
      // Closed by the test or by the server. Pending waits are rejected below.
    }
    isOver = true;
    for (const one of waiting) one.reject(overFault());
    waiting.clear();
  })();
  return {
    events,
    until: (fits) =>
      new Promise((resolve, reject) => {
        const known = events.find(({ data }) => fits(data));
        if (known) resolve(known);
        else if (isOver) reject(overFault());
        else waiting.add({ fits, resolve, reject });
      }),
    ended,
    close: () => abort.abort(),
  };
}
