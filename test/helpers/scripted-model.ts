// Runs a language model provider for tests: a real HTTP server on loopback that supports all wire protocols and returns scripted replies.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeAfterTest } from './close-after-test.ts';
import { replyEvents, replyJson, type ScriptedWire } from './scripted-wires.ts';

export interface ScriptedToolCall {
  /** `call_0`, `call_1`, … by default. An empty string sends no id (chat completions). */
  readonly id?: string;
  readonly name: string;
  /** Objects are sent as JSON, strings unchanged, including invalid JSON. `{}` by default. */
  readonly args?: object | string;
  /** Number of fragments of the arguments; 1 by default. The fragments of several calls are interleaved. */
  readonly fragments?: number;
}

export interface ScriptedUsage {
  readonly input?: number;
  readonly output?: number;
  /** Part of `input`. */
  readonly cached?: number;
  /** In USD; chat completions only. */
  readonly cost?: number;
}

/**
 * One reply. The deltas are sent in this order: `reasoning`, `text`, `toolCalls`. Each list entry, each argument fragment
 * and the start of each tool call count as one delta for `cutAfter`, `stallAfter` and `delayMs`.
 */
export interface ScriptedReply {
  /** One delta, or one per list entry. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string | readonly string[];
  /** Field name of the reasoning on chat completions; `reasoning` by default. */
  readonly reasoningField?: 'reasoning' | 'reasoning_content';
  /** Signature of the reasoning: on a thinking block, on the first call (chat completions), or as encrypted content (Responses). */
  readonly signature?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** `{ input: 10, output: 5 }` by default; `false` sends none. */
  readonly usage?: ScriptedUsage | false;
  /** `stop`, `tool_calls`, `length` or `content_filter` are translated for the wire, other values are sent unchanged. Derived by default. */
  readonly finish?: string;
  /** A status other than 200 sends `body` instead of a stream. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of a stream: strings unchanged, objects as JSON. With `status` alone, an error body in the provider's format is sent. */
  readonly body?: string | object;
  /** Delay before each delta. 0 by default, which sends all deltas in one write. */
  readonly delayMs?: number;
  /** Closes the connection after that many deltas; 0 closes it right after the headers. */
  readonly cutAfter?: number;
  /** Pauses after that many deltas until `until` resolves, the client disconnects, or the server is closed. */
  readonly stallAfter?: number;
  /** With `stallAfter`: resumes when the promise resolves. Alone: delays the headers until the promise resolves. */
  readonly until?: Promise<unknown>;
  /** Does not end the response after the last event, like some servers. */
  readonly keepOpen?: boolean;
  /** Returns one JSON document although a stream was requested. */
  readonly asJson?: boolean;
  /** Restricts the reply to matching requests. The first matching reply of the list is used. */
  readonly when?: (request: ScriptedRequest) => boolean;
  /** Keeps the reply in the list, so it can be used repeatedly. */
  readonly always?: boolean;
}

export interface ScriptedRequest {
  readonly index: number;
  readonly wire: ScriptedWire;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON body: `model`, `messages`, `tools`, … */
  readonly body: any;
  /** How the response ended: `complete`, `cut` by the script, or `gone`: the client disconnected. */
  readonly ended: Promise<'complete' | 'cut' | 'gone'>;
}

/** A list provides one reply per request. A function is called for each request. */
export type Script = readonly ScriptedReply[] | ((request: ScriptedRequest) => ScriptedReply | Promise<ScriptedReply>);

/** For `when`: matches requests of a turn. Helper requests, for example for a title, offer no tools. */
export const isOfTurn = ({ body }: ScriptedRequest): boolean => (body.tools?.length ?? 0) > 0;

/** Returns the system notes inside the messages of a request, oldest first. */
export const notesOf = ({ body }: ScriptedRequest): string[] =>
  (body.messages as { readonly content: unknown }[]).flatMap(({ content }) =>
    [...textOf(content).matchAll(/<system-note>\n(.*?)\n<\/system-note>/gs)].map(([, note = '']) => note),
  );

/** Removes the system notes appended to a message. */
export const withoutNotes = (text: string): string => text.replace(/\n\n<system-note>.*?<\/system-note>/gs, '');

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('\n') : '';

export interface ScriptedModel {
  /** Value for `AGENT_API_BASE_URL`: `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  readonly requests: readonly ScriptedRequest[];
  readonly left: number;
  /** Number of connections opened so far. */
  readonly connections: number;
  /** Sets the reply to `GET …/models`: a document, or an error for that key. 404 by default. */
  listModels(answer: (key: string) => { readonly status?: number; readonly body: object }): void;
  readonly listed: number;
  /** Appends replies to the list. If the script is a function, the list is used first. */
  push(...replies: readonly ScriptedReply[]): void;
  /** Restarts with a new script: open responses are dropped, recorded requests and replies are cleared. */
  play(script: Script): void;
  /** Resolves with the request at that index as soon as it arrives. */
  request(index: number): Promise<ScriptedRequest>;
  /** Environment for a server that uses this model: base URL, a key, and no delay between retries. */
  readonly environment: Readonly<Record<string, string>>;
  /** Closes every connection. A model started by a unit test is closed after the test. */
  close(): Promise<void>;
}

/**
 * Starts a provider. `POST …/chat/completions`, `POST …/messages` and `POST …/responses` are answered from one script.
 *
 * ```ts
 * const model = await startScriptedModel([
 *   { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }] },   // first request
 *   { text: ['It says ', 'hello.'] },                                   // second request
 * ]);
 * const harness = await startHarness({ environment: model.environment });
 * …
 * expect(model.requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'tool' });
 * ```
 *
 * Helper calls (titles, memory extraction, …) also consume replies if such a plugin is active: give the replies of the turn a
 * `when`, or use a function. A request without a remaining reply gets a 404 with an explanation, which is not retried.
 */
export async function startScriptedModel(first: Script = []): Promise<ScriptedModel> {
  let script: Script = first;
  const queue: ScriptedReply[] = typeof script === 'function' ? [] : [...script];
  const requests: ScriptedRequest[] = [];
  const waiting = new Map<number, ((request: ScriptedRequest) => void)[]>();
  let closing = new AbortController();
  let lister: Parameters<ScriptedModel['listModels']>[0] | undefined;
  let listed = 0;

  async function pick(request: ScriptedRequest): Promise<ScriptedReply> {
    const at = queue.findIndex((reply) => reply.when?.(request) ?? true);
    const found = queue[at];
    if (found) {
      if (!found.always) queue.splice(at, 1);
      return found;
    }
    if (typeof script === 'function') return script(request);
    return { status: 404, body: { error: { message: `The script has no reply for request ${request.index}.` } } };
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? '/';
    if (incoming.method === 'GET' && /^\/v1\/models(\?|$)/.test(path) && lister) {
      listed++;
      const { authorization = '', 'x-api-key': key } = incoming.headers;
      const { status = 200, body } = lister(String(key ?? authorization.replace('Bearer ', '')));
      return void response.writeHead(status, json).end(JSON.stringify(body));
    }
    const wire = wireOf(path);
    const text = await readText(incoming);
    if (!wire || incoming.method !== 'POST') return void response.writeHead(404, json).end('{"error":{"message":"no such path"}}');
    const ended = new Promise<'complete' | 'cut' | 'gone'>((resolve) => {
      response.once('close', () => resolve(cutResponses.has(response) ? 'cut' : response.writableFinished ? 'complete' : 'gone'));
    });
    const request: ScriptedRequest = { index: requests.length, wire, path, headers: incoming.headers, body: JSON.parse(text), ended };
    requests.push(request);
    for (const resolve of waiting.get(request.index) ?? []) resolve(request);
    await answer(response, request, await pick(request), closing.signal);
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((fault: unknown) => {
      if (!response.headersSent) response.writeHead(500, json);
      response.end(JSON.stringify({ error: { message: `scripted model: ${String(fault)}` } }));
    });
  });
  let connections = 0;
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

  const model: ScriptedModel = {
    url,
    requests,
    environment: { AGENT_API_BASE_URL: url, AGENT_API_KEY: 'test-key', AGENT_MODEL: 'scripted', AGENT_RETRY_MAX_DELAY_MS: '1', AGENT_CHAT_TITLES: '0' },
    get left() {
      return queue.length;
    },
    get connections() {
      return connections;
    },
    get listed() {
      return listed;
    },
    listModels: (answer) => void (lister = answer),
    push: (...replies) => void queue.push(...replies),
    play(next) {
      closing.abort();
      closing = new AbortController();
      server.closeAllConnections();
      script = next;
      queue.splice(0, queue.length, ...(typeof next === 'function' ? [] : next));
      requests.length = 0;
      waiting.clear();
      lister = undefined;
    },
    request(index) {
      const known = requests[index];
      if (known) return Promise.resolve(known);
      return new Promise((resolve) => waiting.set(index, [...(waiting.get(index) ?? []), resolve]));
    },
    async close() {
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
  closeAfterTest(() => model.close());
  return model;
}

function wireOf(path: string): ScriptedWire | undefined {
  if (/\/chat\/completions(\?|$)/.test(path)) return 'chat-completions';
  return /\/messages$/.test(path) ? 'messages' : /\/responses$/.test(path) ? 'responses' : undefined;
}

const json = { 'content-type': 'application/json' };
const cutResponses = new WeakSet<ServerResponse>();

async function answer(response: ServerResponse, request: ScriptedRequest, reply: ScriptedReply, closing: AbortSignal): Promise<void> {
  if (reply.until && reply.stallAfter === undefined) await Promise.race([reply.until, gone(response, closing)]);
  if (reply.body !== undefined || (reply.status ?? 200) !== 200) return sendBody(response, reply);
  if (reply.asJson || request.body.stream !== true)
    return void response.writeHead(200, { ...json, ...reply.headers }).end(JSON.stringify(replyJson(request, reply)));

  const { deltas, tail } = replyEvents(request, reply);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...reply.headers });
  response.flushHeaders();
  let held = '';
  for (const [index, delta] of deltas.entries()) {
    if (index === reply.cutAfter) return cut(response, held);
    if (index === reply.stallAfter) {
      response.write(held);
      held = '';
      await Promise.race([reply.until ?? new Promise(() => undefined), gone(response, closing)]);
    }
    if (response.destroyed) return;
    held += delta;
    if (reply.delayMs === undefined) continue;
    await sleep(reply.delayMs);
    response.write(held);
    held = '';
  }
  if (reply.cutAfter !== undefined) return cut(response, held);
  if (reply.stallAfter !== undefined && reply.stallAfter >= deltas.length) {
    response.write(held);
    held = '';
    await Promise.race([reply.until ?? new Promise(() => undefined), gone(response, closing)]);
  }
  if (reply.keepOpen) response.write(held + tail);
  else response.end(held + tail);
}

function sendBody(response: ServerResponse, reply: ScriptedReply): void {
  const body = reply.body ?? { error: { message: `scripted fault ${reply.status}` } };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(reply.status ?? 200, { ...json, ...reply.headers }).end(text);
}

/** Flushes the response so far, then closes the connection without an end. */
function cut(response: ServerResponse, said: string): void {
  cutResponses.add(response);
  if (said === '') response.socket?.destroy();
  else response.write(said, () => response.socket?.destroy());
}

function gone(response: ServerResponse, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', () => resolve());
    closing.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
