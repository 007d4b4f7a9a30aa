// A reader of `GET /api/stream`: keeps every event, and waits for one.
import { createParser } from 'eventsource-parser';
import { closeAfterTest } from './close-after-test.ts';
import type { Harness } from './harness.ts';

export interface StreamEvent {
  readonly kind: string;
  readonly chatId?: string;
  readonly [field: string]: any;
}

export interface EventStream {
  readonly events: StreamEvent[];
  readonly lastId: string | undefined;
  /** Resolves with the first event, old or new, that fits; rejects when the stream ends first. */
  until(fits: string | ((event: StreamEvent) => boolean)): Promise<StreamEvent>;
  /** Text of a channel so far, put together by offset. */
  text(channel?: string): string;
  close(): void;
}

/** Resolves once `connected` came. One that a unit test opens is closed with it. */
export async function openEventStream(
  harness: Pick<Harness, 'url' | 'token'>,
  query: Readonly<Record<string, string>> = {},
  lastEventId?: string,
): Promise<EventStream> {
  const abort = new AbortController();
  const events: StreamEvent[] = [];
  const waiting = new Set<{ fits: (event: StreamEvent) => boolean; resolve: (event: StreamEvent) => void; reject: (fault: Error) => void }>();
  let lastId: string | undefined;
  const reply = await fetch(`${harness.url}/api/stream?${new URLSearchParams(query).toString()}`, {
    headers: { authorization: `Bearer ${harness.token}`, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
    signal: abort.signal,
  });
  if (!reply.ok || !reply.body) throw new Error(`the stream answered ${reply.status}: ${await reply.text()}`);
  const parser = createParser({
    onEvent(message) {
      if (message.id !== undefined) lastId = message.id;
      const event = JSON.parse(message.data) as StreamEvent;
      events.push(event);
      for (const one of waiting) {
        if (!one.fits(event)) continue;
        waiting.delete(one);
        one.resolve(event);
      }
    },
  });
  const body = reply.body;
  void (async () => {
    const decoder = new TextDecoder();
    try {
      for await (const piece of body as unknown as AsyncIterable<Uint8Array>) parser.feed(decoder.decode(piece, { stream: true }));
    } catch {
      // closed by the test, or by the server: either way whoever still waits is told below
    }
    for (const one of waiting) one.reject(new Error(`the stream ended; seen: ${events.map((event) => event.kind).join(' ')}`));
  })();
  const stream: EventStream = {
    events,
    get lastId() {
      return lastId;
    },
    until(given) {
      const fits = typeof given === 'string' ? (event: StreamEvent) => event.kind === given : given;
      const seen = events.find(fits);
      return seen ? Promise.resolve(seen) : new Promise((resolve, reject) => waiting.add({ fits, resolve, reject }));
    },
    text(channel = 'user') {
      const messages = new Map<string, string>();
      for (const event of events) {
        if (event.kind !== 'text' || event['channel'] !== channel) continue;
        messages.set(event['messageId'], (messages.get(event['messageId']) ?? '').slice(0, event['offset']) + event['delta']);
      }
      return [...messages.values()].join('\n');
    },
    close: () => abort.abort(),
  };
  closeAfterTest(stream.close);
  await stream.until('connected');
  return stream;
}

/** Sends a message and waits for the end of its turn. */
export async function runTurn(
  harness: Harness,
  text: string,
  more: object = {},
): Promise<{ end: StreamEvent; events: StreamEvent[]; stream: EventStream; turnId: string }> {
  const stream = await openEventStream(harness, 'chatId' in more ? { chatId: String(more.chatId) } : {});
  const sent = await harness.call('POST', '/api/message', { text, ...more });
  if (sent.status !== 202) throw new Error(`refused: ${sent.status} ${JSON.stringify(sent.body)}`);
  const { turnId } = sent.body;
  const end = await stream.until((event) => event.kind === 'turn_end' && event['turnId'] === turnId);
  stream.close();
  return { end, events: stream.events, stream, turnId };
}
