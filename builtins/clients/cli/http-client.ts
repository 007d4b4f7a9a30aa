// Implements a small client of the HTTP API: calls, and the event stream with reconnects.
import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '#lib/async';
import { recordIn } from '#lib/values';
import type { ChatEvent } from 'agent-harness/transcript';
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import type { CliParts } from './cli-parts.ts';

export interface Client {
  readonly url: string;
  /** Calls a route. Rejects with the server's own code, message and status, or with `CLI_ERR_NO_ANSWER`. */
  call<T>(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>;
  /** Returns the content at a path of the server, and its content type. */
  bytes(path: string): Promise<{ readonly content: Buffer; readonly type: string }>;
  /**
   * Yields the events of one chat from now on, each once, starting with `connected`. Reconnects and resumes after the last event; rejects with
   * `CLI_ERR_STREAM_LOST` if that fails for `patienceMs`. Ends when the signal is aborted.
   */
  stream(chatId: string, signal: AbortSignal): AsyncGenerator<ChatEvent, void, undefined>;
}

/** A response with a status other than 2xx. */
export interface RequestError extends Error {
  readonly code: string;
  readonly status: number;
}

const pauses = { first: 50, longest: 2_000 };

/** @param patienceMs time limit for reconnecting */
export function createClient(parts: Pick<CliParts, 'error'>, url: string, token: string, patienceMs = 30_000): Client {
  async function request(path: string, init: RequestInit): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, ...(init.body ? { 'content-type': 'application/json' } : {}), ...init.headers };
    try {
      return await fetch(url + path, { ...init, headers });
    } catch (cause) {
      init.signal?.throwIfAborted();
      throw parts.error('NO_ANSWER', { url, why: whyOf(cause) }, cause);
    }
  }

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    // A change always sends JSON, an empty object by default.
    const text = method === 'GET' ? undefined : JSON.stringify(body ?? {});
    const reply = await request(path, { method, ...(text === undefined ? {} : { body: text }) });
    if (!reply.ok) throw await refusalOf(reply);
    return (await reply.json()) as T;
  }

  async function bytes(path: string): Promise<{ readonly content: Buffer; readonly type: string }> {
    const reply = await request(path, { method: 'GET' });
    if (!reply.ok) throw await refusalOf(reply);
    return { content: Buffer.from(await reply.arrayBuffer()), type: reply.headers.get('content-type') ?? '' };
  }

  async function* connect(chatId: string, lastId: number | undefined, signal: AbortSignal): AsyncGenerator<EventSourceMessage, void, undefined> {
    const headers = { accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': String(lastId) }) };
    const reply = await request(`/api/stream?chatId=${encodeURIComponent(chatId)}`, { headers, signal });
    if (!reply.ok || !reply.body) throw await refusalOf(reply);
    const messages = reply.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    yield* messages as unknown as AsyncIterable<EventSourceMessage>; // async iterable in Node; the browser type lacks this
  }

  async function* stream(chatId: string, signal: AbortSignal): AsyncGenerator<ChatEvent, void, undefined> {
    let lastId: number | undefined;
    let lostSince: number | undefined;
    for (let attempt = 0; !signal.aborted; attempt++) {
      let why = 'it was closed';
      try {
        for await (const message of connect(chatId, lastId, signal)) {
          attempt = 0;
          lostSince = undefined;
          const event = JSON.parse(message.data) as ChatEvent;
          const id = idOf(message) ?? (lastId === undefined ? cursorOf(event) : undefined);
          if (id !== undefined && lastId !== undefined && id <= lastId) continue;
          if (id !== undefined) lastId = id;
          yield event;
        }
      } catch (fault) {
        if (signal.aborted) return;
        if (isRefusal(fault)) throw fault;
        why = whyOf(fault);
      }
      if (signal.aborted) return;
      lostSince ??= Date.now();
      if (Date.now() - lostSince > patienceMs) throw parts.error('STREAM_LOST', { url, why });
      await pause(backoffMs(attempt, pauses), signal);
    }
  }

  return { url, call, bytes, stream };
}

function idOf({ id }: EventSourceMessage): number | undefined {
  const number = Number(id);
  return id !== undefined && id !== '' && Number.isSafeInteger(number) ? number : undefined;
}

/** Returns the server's position at the first connection. Later positions may be ahead of the replay. */
function cursorOf(event: ChatEvent): number | undefined {
  return event.kind === 'connected' && typeof event['cursor'] === 'number' ? event['cursor'] : undefined;
}

async function refusalOf(reply: Response): Promise<RequestError> {
  const text = await reply.text();
  // The response is not from our server, or it is an HTML page: the status is sufficient.
  const error = (recordIn(text)['error'] ?? {}) as { readonly code?: string; readonly message?: string; readonly details?: unknown };
  const message = error.message ?? `The server responded with ${reply.status} ${reply.statusText}.`;
  return Object.assign(new Error(message), { code: error.code ?? `http_${reply.status}`, status: reply.status, details: error.details });
}

function isRefusal(fault: unknown): boolean {
  return fault instanceof Error && 'status' in fault && typeof fault.status === 'number' && fault.status >= 400 && fault.status < 500;
}

/** Returns the reason for a failure. Uses the cause, because the message `fetch failed` is uninformative. */
function whyOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  return fault.cause instanceof Error && fault.cause.message ? fault.cause.message : fault.message;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    // Aborted; the loop checks the signal.
  }
}
