// Reads the event stream, with the token in a header instead of the address. Reconnects and resumes automatically.
import { backoffMs } from '#lib/async';
import { jsonOf } from '#lib/values';
import { createParser } from 'eventsource-parser';
import type { WireEvent } from './api.ts';
import { createEventCursor } from './event-cursor.ts';

export interface EventSourceOptions {
  /** Opens the stream; rejects as `fetch` does. */
  connect(headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response | StreamReply>;
  /** Receives the events of one network chunk, in order. */
  onEvents(events: readonly WireEvent[]): void;
  /** `open`: no event is missed from now on; `resumed`: no event was missed before either; `lost`: reconnecting; `refused`: a new token is required. */
  onState(state: 'open' | 'resumed' | 'lost' | 'refused'): void;
  /** Delays in milliseconds; shorter in tests only. */
  readonly waits?: Partial<Waits>;
}

/** A response that the caller reads and decodes. */
export interface StreamReply {
  readonly status: number;
  /** Resolves when the server closes the stream; rejects when the stream breaks or is aborted. */
  read(onPiece: (text: string) => void): Promise<void>;
}

export interface Waits {
  readonly first: number;
  readonly longest: number;
  /** Maximum silence in milliseconds; the server sends at least a comment every 15 s. */
  readonly silence: number;
}

export interface ReconnectingSource {
  /** Connects immediately if it is disconnected. */
  wake(): void;
  /** Drops the resume position, and reconnects. */
  restart(): void;
  close(): void;
}

const usualWaits: Waits = { first: 500, longest: 10_000, silence: 45_000 };

export function openEventSource(options: EventSourceOptions): ReconnectingSource {
  const waits = { ...usualWaits, ...options.waits };
  const cursor = createEventCursor();
  let tries = 0;
  let attempt: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function begin(): void {
    clearTimeout(timer);
    timer = undefined;
    const own = (attempt = new AbortController());
    void readOnce(own).then((outcome) => {
      // A restart replaced this connection.
      if (isClosed || attempt !== own) return;
      attempt = undefined;
      options.onState(outcome);
      if (outcome === 'refused') return;
      timer = setTimeout(begin, backoffMs(tries++, waits));
    });
  }

  async function readOnce(own: AbortController): Promise<'lost' | 'refused'> {
    let aliveAt = Date.now();
    let silence: ReturnType<typeof setTimeout> | undefined;
    const listen = (): void => {
      const left = aliveAt + waits.silence - Date.now();
      if (left > 0) silence = setTimeout(listen, left);
      else own.abort();
    };
    try {
      silence = setTimeout(listen, waits.silence);
      const reply = await options.connect(
        { accept: 'text/event-stream', ...(cursor.lastId === undefined ? {} : { 'last-event-id': cursor.lastId }) },
        own.signal,
      );
      if (reply.status === 401) return 'refused';
      if (reply.status < 200 || reply.status > 299 || own.signal.aborted) return 'lost';
      options.onState(cursor.lastId === undefined ? 'open' : 'resumed');
      const take = createReader();
      await readPieces(reply, own.signal, (text) => {
        aliveAt = Date.now();
        take(text);
      });
    } catch {
      // the connection broke, or was silent for too long: it is retried
    } finally {
      clearTimeout(silence);
      own.abort();
    }
    return 'lost';
  }

  /** Returns a function that receives the chunks of one connection. */
  function createReader(): (text: string) => void {
    let events: WireEvent[] = [];
    const parser = createParser({
      onEvent({ id, data }) {
        const event = parseEvent(data);
        cursor.see(event, id);
        if (event) events.push(event);
      },
    });
    return (text) => {
      parser.feed(text);
      if (events.length === 0) return;
      // The server responds, so the next failure is a new one.
      tries = 0;
      const taken = events;
      events = [];
      options.onEvents(taken);
    };
  }

  begin();
  return {
    wake() {
      if (!isClosed && !attempt && timer !== undefined) begin();
    },
    restart() {
      if (isClosed) return;
      attempt?.abort();
      cursor.forget();
      tries = 0;
      begin();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      attempt?.abort();
    },
  };
}

async function readPieces(reply: Response | StreamReply, signal: AbortSignal, onPiece: (text: string) => void): Promise<void> {
  if ('read' in reply) return reply.read(onPiece);
  const decoder = new TextDecoder();
  const reader = reply.body?.getReader();
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || signal.aborted) return;
    onPiece(decoder.decode(value, { stream: true }));
  }
}

function parseEvent(data: string): WireEvent | undefined {
  const parsed = jsonOf(data) as WireEvent | null | undefined;
  return typeof parsed?.kind === 'string' ? parsed : undefined;
}
