// The event stream over fetch, so that the token stays out of the address. It comes back by itself where it left off.
import { backoffMs } from 'agent-harness/lib/async';
import { jsonOf } from 'agent-harness/lib/values';
import { createParser } from 'eventsource-parser';
import type { WireEvent } from './api.ts';

export interface EventSourceOptions {
  /** Asks for the stream; rejects like `fetch`. */
  connect(headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response>;
  /** What one piece of the connection held, in order. */
  onEvents(events: readonly WireEvent[]): void;
  /** `open`: from now on nothing is missed, `resumed`: nor was anything before; `lost`: it is tried again; `refused`: only a token helps. */
  onState(state: 'open' | 'resumed' | 'lost' | 'refused'): void;
  /** Milliseconds; only tests wait for less. */
  readonly waits?: Partial<Waits>;
}

export interface Waits {
  readonly first: number;
  readonly longest: number;
  /** The server sends at least a comment every 15 s. */
  readonly silence: number;
}

export interface ReconnectingSource {
  /** Connects where it is not connected, without waiting any longer. */
  wake(): void;
  /** Forgets what it has seen of the server before, and connects anew. */
  restart(): void;
  close(): void;
}

const usualWaits: Waits = { first: 500, longest: 10_000, silence: 45_000 };

export function openEventSource(options: EventSourceOptions): ReconnectingSource {
  const waits = { ...usualWaits, ...options.waits };
  let lastId: string | undefined;
  let tries = 0;
  let attempt: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function begin(): void {
    clearTimeout(timer);
    timer = undefined;
    const own = (attempt = new AbortController());
    void readOnce(own).then((outcome) => {
      // A restart took its place.
      if (isClosed || attempt !== own) return;
      attempt = undefined;
      options.onState(outcome);
      if (outcome === 'refused') return;
      timer = setTimeout(begin, backoffMs(tries++, waits));
    });
  }

  async function readOnce(own: AbortController): Promise<'lost' | 'refused'> {
    let silence: ReturnType<typeof setTimeout> | undefined;
    const alive = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => own.abort(), waits.silence);
    };
    try {
      alive();
      const reply = await options.connect({ accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': lastId }) }, own.signal);
      if (reply.status === 401) return 'refused';
      if (!reply.ok || !reply.body) return 'lost';
      if (own.signal.aborted) return 'lost';
      options.onState(lastId === undefined ? 'open' : 'resumed');
      await readPieces(reply.body, own.signal, alive);
    } catch {
      // the connection broke, or was silent too long: it is tried again
    } finally {
      clearTimeout(silence);
      own.abort();
    }
    return 'lost';
  }

  async function readPieces(body: ReadableStream<Uint8Array>, signal: AbortSignal, alive: () => void): Promise<void> {
    let events: WireEvent[] = [];
    const parser = createParser({
      onEvent({ id, data }) {
        const event = parseEvent(data);
        if (id !== undefined && id !== '') lastId = id;
        // Whoever saw nothing yet goes on from where this connection began.
        else if (event?.kind === 'connected' && lastId === undefined && typeof event['cursor'] === 'number') lastId = String(event['cursor']);
        // What came before it is gone for this reader, and so are its ids.
        else if (event?.kind === 'resync') lastId = undefined;
        else if (event?.kind === 'transcript_replay' && typeof event['cursor'] === 'number') lastId = String(event['cursor']);
        if (event) events.push(event);
      },
    });
    const decoder = new TextDecoder();
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      alive();
      parser.feed(decoder.decode(value, { stream: true }));
      if (events.length === 0) continue;
      // The server lives, so the next fault is a new one.
      tries = 0;
      const taken = events;
      events = [];
      options.onEvents(taken);
    }
  }

  begin();
  return {
    wake() {
      if (!isClosed && !attempt && timer !== undefined) begin();
    },
    restart() {
      if (isClosed) return;
      attempt?.abort();
      lastId = undefined;
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

function parseEvent(data: string): WireEvent | undefined {
  const parsed = jsonOf(data) as WireEvent | null | undefined;
  return typeof parsed?.kind === 'string' ? parsed : undefined;
}
