// Reads `GET /api/stream`: stores every event and waits for specific ones.
import { closeAfterTest } from './close-after-test.ts';
import type { Harness } from './harness.ts';
import { openServerEvents } from './server-events.ts';

export interface StreamEvent {
  readonly kind: string;
  readonly chatId?: string;
  readonly [field: string]: any;
}

export interface EventStream {
  readonly events: StreamEvent[];
  readonly lastId: string | undefined;
  /** Resolves with the first matching event, past or future. Rejects if the stream ends first. */
  until(fits: string | ((event: StreamEvent) => boolean)): Promise<StreamEvent>;
  /** Returns the text of a channel so far, assembled by offset. */
  text(channel?: string): string;
  close(): void;
}

/** Opens the stream. Resolves after `connected`. A stream opened by a unit test is closed after the test. */
export async function openEventStream(
  harness: Pick<Harness, 'url' | 'token'>,
  query: Readonly<Record<string, string>> = {},
  lastEventId?: string,
): Promise<EventStream> {
  const events: StreamEvent[] = [];
  const read = await openServerEvents<StreamEvent>(
    `${harness.url}/api/stream?${new URLSearchParams(query).toString()}`,
    { authorization: `Bearer ${harness.token}`, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
    (_, event) => events.push(event),
  );
  const stream: EventStream = {
    events,
    get lastId() {
      return read.events.findLast(({ id }) => id !== undefined)?.id;
    },
    async until(given) {
      const fits = typeof given === 'string' ? ({ kind }: StreamEvent) => kind === given : given;
      // A test may have added events from another stream.
      return events.find(fits) ?? (await read.until(fits)).data;
    },
    text(channel = 'user') {
      const messages = new Map<string, string>();
      for (const event of events) {
        if (event.kind !== 'text' || event['channel'] !== channel) continue;
        messages.set(event['messageId'], (messages.get(event['messageId']) ?? '').slice(0, event['offset']) + event['delta']);
      }
      return [...messages.values()].join('\n');
    },
    close: read.close,
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
