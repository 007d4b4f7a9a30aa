// Implements the HTTP transport of model adapters: posts JSON, reads server-sent events or one JSON document, and converts failures to faults.
import { Readable } from 'node:stream';
import { codeOf, messageOf } from '#lib/errors';
import { shownAddress } from '#lib/hosts';
import { createOutgoingAgents } from '#lib/outgoing';
import { jsonOf } from '#lib/values';
import { createVersionPaths } from '#lib/version-path';
import { fetchComplete, type Answer, type CompleteRequest } from '#lib/complete-fetch';
import { createParser, type EventSourceParser } from 'eventsource-parser';
import type { ModelFault, ModelPost, ModelTransport, ProviderExchange } from './contract.ts';
import { encodeBody } from './provider-body.ts';
import { faultOfConnection, faultOfError, faultOfReply } from './provider-fault.ts';

/** Maximum length of a single event, and of a reply that is one document, in characters. */
const maxDocumentChars = 16 * 1024 * 1024;
const maxErrorChars = 64 * 1024;
/** Maximum length of a whole stream in characters: many times the length of the text, because each delta is wrapped in JSON. */
const maxStreamChars = 256 * 1024 * 1024;
/** Maximum time, in milliseconds, to read the rest of a finished reply, after which its connection can be reused. */
const drainMs = 1_000;
/** Maximum time, in milliseconds, that a finished reply may take to report its usage and end. */
const endingMs = 2_000;

type Outgoing = Parameters<ModelTransport['get']>[0];
type Taken = ModelFault | true | undefined;

/** Creates the transport. The caller must dispose it, which ends all connections. @param report receives notices for the operator about a base URL */
export function createTransport(userAgent: string, report: (message: string) => void = () => undefined): ModelTransport & { dispose(): void } {
  const agents = createOutgoingAgents({ agent: { keepAlive: true, maxFreeSockets: 8 } });
  const paths = createVersionPaths(report);
  const draining = new Set<() => void>();

  async function sendTo(url: string, request: Outgoing, init: CompleteRequest, signal: AbortSignal): Promise<Answer> {
    // Requests no compression, because compressing proxies may buffer a stream; a compressed reply is nevertheless decoded.
    const headers = { accept: 'text/event-stream, application/json', 'accept-encoding': 'identity', 'user-agent': userAgent, ...request.headers };
    const agent = await agents.agentFor(new URL(url));
    return fetchComplete(url, { ...init, headers: { ...headers, ...init.headers }, signal, agent });
  }

  /** Sends a request, at the version path if the base URL needs it. A streamed body can be sent only once. */
  async function send(request: Outgoing, init: CompleteRequest, signal: AbortSignal): Promise<Answer> {
    if (init.body instanceof Readable) return sendTo(paths.addressOf(request.url), request, init, signal);
    const answer = await paths.send(
      request.url,
      (address) => sendTo(address, request, init, signal),
      ({ body }) => finish(body),
    );
    signal.throwIfAborted();
    return answer;
  }

  /** Runs one exchange. Rejects only with the signal's reason. A fault contains the URL. */
  async function exchange<T>(
    request: Outgoing,
    init: CompleteRequest,
    signal: AbortSignal,
    read: (contentType: string, body: Readable) => Promise<T>,
  ): Promise<T | ModelFault> {
    const outcome = await tryExchange(request, init, signal, read);
    return isFault(outcome) ? { ...outcome, url: shownAddress(paths.addressOf(request.url)) } : outcome;
  }

  async function tryExchange<T>(
    request: Outgoing,
    init: CompleteRequest,
    signal: AbortSignal,
    read: (contentType: string, body: Readable) => Promise<T>,
  ): Promise<T | ModelFault> {
    const { secret } = request;
    let body: Readable | undefined;
    try {
      const response = await send(request, init, signal);
      ({ body } = response);
      if (response.ok) return await read(response.headers.get('content-type') ?? '', body);
      const text = await readError(body);
      return faultOfReply(response.status, text, retryAfterOf(response.headers), Date.now(), secret);
    } catch (cause) {
      signal.throwIfAborted();
      // The proxy setting is invalid, so a retry would not help.
      if (codeOf(cause)?.endsWith('_ERR_SETTING_UNUSABLE')) return { ok: false, kind: 'refused', message: messageOf(cause) };
      return faultOfConnection(cause, secret);
    } finally {
      if (body) finish(body);
    }
  }

  function post(request: ModelPost, signal: AbortSignal): Promise<ModelFault | undefined> {
    const { body } = request;
    const encoded = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: encoded };
    return exchange(request, init, signal, (contentType, body) => readReply(contentType, body, request));
  }

  function get(request: Outgoing, signal: AbortSignal): ReturnType<ModelTransport['get']> {
    return exchange(request, { method: 'GET' }, signal, async (_, body) => {
      const text = await readText(body, maxDocumentChars);
      const payload = jsonOf(text ?? '');
      return payload === undefined ? badReply('the provider sent a reply that is not JSON') : { ok: true as const, payload };
    });
  }

  async function sendWhole(request: ProviderExchange, signal: AbortSignal): ReturnType<ModelTransport['send']> {
    const { maxBytes, idleMs } = request;
    const watch = new AbortController();
    const onAbort = (): void => watch.abort(signal.reason);
    signal.throwIfAborted();
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => watch.abort(silent), idleMs);
    let outgoing: Readable | undefined;
    try {
      const { body, headers } = await encodeBody(request.body, () => timer.refresh());
      // Otherwise, the request would wait forever for the rest of an unreadable file.
      if (body instanceof Readable) outgoing = body.once('error', (fault) => watch.abort(new Unreadable(fault)));
      const init = { method: 'POST', body, headers };
      return await exchange({ ...request, headers: { accept: '*/*', ...request.headers } }, init, watch.signal, async (contentType, answer) => {
        const mediaType = mediaTypeOf(contentType);
        const chunks: Buffer[] = [];
        let size = 0;
        for await (const chunk of answer as AsyncIterable<Buffer>) {
          timer.refresh();
          size += chunk.length;
          if (size > maxBytes) return badReply(`the provider sent more than ${maxBytes} bytes`);
          chunks.push(chunk);
          request.onBytes?.(chunk, mediaType);
        }
        return { ok: true as const, mediaType, bytes: Buffer.concat(chunks, size) };
      });
    } catch (reason) {
      if (reason instanceof Unreadable) return { ok: false, kind: 'refused', message: reason.message };
      if (reason !== silent) throw reason;
      return { ok: false, kind: 'transient', message: `the provider sent no data for ${idleMs / 1000} s (limit: AGENT_STREAM_IDLE_MS)` };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      outgoing?.destroy();
    }
  }

  /** Reads the rest of the reply, which returns its connection to the pool. If the server does not end the reply, closes the connection. */
  function finish(body: Readable): void {
    body.on('error', () => undefined);
    if (body.readableEnded || body.destroyed) return;
    const timer = setTimeout(() => body.destroy(), drainMs);
    const end = (): void => {
      clearTimeout(timer);
      draining.delete(drop);
    };
    const drop = (): void => void body.destroy();
    draining.add(drop);
    body.once('close', end).resume();
  }

  return {
    post,
    get,
    send: sendWhole,
    faultOf: faultOfError,
    dispose() {
      for (const drop of draining) drop();
      agents.destroy();
    },
  };
}

const silent = new Error('silent');
class Unreadable extends Error {
  constructor(cause: Error) {
    super(`the file to send could not be read: ${cause.message}`, { cause });
  }
}

function isFault(outcome: unknown): outcome is ModelFault {
  return typeof outcome === 'object' && outcome !== null && 'ok' in outcome && outcome.ok === false;
}

/** Returns the requested retry delay, in seconds or as a date; some providers send it in milliseconds in a separate header. */
function retryAfterOf(headers: { get(name: string): string | null }): string | null {
  const ms = headers.get('retry-after-ms');
  return ms !== null && Number.isFinite(Number(ms)) ? String(Number(ms) / 1_000) : headers.get('retry-after');
}

function mediaTypeOf(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function readReply(contentType: string, body: Readable, request: ModelPost): Promise<ModelFault | undefined> {
  const type = mediaTypeOf(contentType);
  if (type === 'text/event-stream' || type === 'text/plain' || type === '') return readEvents(body, request);
  if (type === 'application/json') return readDocument(body, request);
  return Promise.resolve(badReply(`the provider answered '${type}' instead of an event stream; check AGENT_API_BASE_URL`));
}

/** Resolves with the first result of `take`, or with `undefined` at the end of the stream. */
function readEvents(body: Readable, request: ModelPost): Promise<ModelFault | undefined> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let ending: NodeJS.Timeout | undefined;
    const settle = (taken: ModelFault | true | undefined): void => {
      isOver = true;
      clearTimeout(ending);
      body.removeListener('data', feed);
      resolve(taken === true ? undefined : taken);
    };
    const parser: EventSourceParser = createParser({
      maxBufferSize: maxDocumentChars,
      onEvent(event) {
        if (isOver) return;
        const taken = takeEvent(event.data, request);
        if (taken !== undefined) settle(taken);
        else if (request.isEnding?.()) ending ??= setTimeout(() => settle(undefined), endingMs);
      },
      onError(fault) {
        if (!isOver && fault.type === 'max-buffer-size-exceeded') settle(badReply('the provider sent an event that is too long'));
      },
    });
    let chars = 0;
    const feed = (chunk: string): void => {
      if (!isOver) parser.feed(chunk);
      chars += chunk.length;
      if (!isOver && chars > maxStreamChars) settle(badReply('the provider sent a reply that is too long'));
    };
    body.setEncoding('utf8');
    body.on('data', feed);
    body.once('error', (fault) => {
      clearTimeout(ending);
      reject(fault);
    });
    body.once('end', () => {
      // Completes a last event that does not end with an empty line.
      if (!isOver) parser.feed('\n\n');
      if (!isOver) settle(undefined);
    });
    body.once('close', () => {
      clearTimeout(ending);
      if (!isOver) reject(new Error('the connection was closed'));
    });
  });
}

function takeEvent(text: string, request: ModelPost): Taken {
  if (text === '[DONE]') return request.take(undefined, false) ?? true;
  return takeJson(text, request, false);
}

async function readDocument(body: Readable, request: ModelPost): Promise<ModelFault | undefined> {
  const text = await readText(body, maxDocumentChars);
  if (text === undefined) return badReply('the provider sent a reply that is too long');
  const taken = takeJson(text, request, true);
  return taken === true ? undefined : taken;
}

function takeJson(text: string, request: ModelPost, isWhole: boolean): Taken {
  const payload = jsonOf(text);
  // Handled like a broken connection: the next attempt may succeed.
  if (payload === undefined) return { ok: false, kind: 'transient', message: 'the provider sent a reply that is not JSON' };
  // Some servers send `null` to keep the connection alive.
  if (payload === null && !isWhole) return undefined;
  try {
    if (typeof payload === 'object' && payload !== null) return request.take(payload, isWhole);
  } catch {
    // the parser's error has no useful message
  }
  return badReply('the provider sent a reply of an unknown format');
}

async function readError(body: Readable): Promise<string> {
  try {
    return (await readText(body, maxErrorChars)) ?? '';
  } catch {
    return ''; // the status code is sufficient
  }
}

/** Returns the body as text; `undefined` if it is longer than `maxChars` characters. */
async function readText(body: Readable, maxChars: number): Promise<string | undefined> {
  let text = '';
  body.setEncoding('utf8');
  for await (const chunk of body as AsyncIterable<string>) {
    text += chunk;
    if (text.length > maxChars) return undefined;
  }
  return text;
}

function badReply(message: string): ModelFault {
  return { ok: false, kind: 'bad_reply', message };
}
