// A language model provider for tests: a real HTTP server on loopback that speaks both wires and says what a script tells it to.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeAfterTest } from './close-after-test.ts';
import { replyEvents, replyJson, type ScriptedWire } from './scripted-wires.ts';

export interface ScriptedToolCall {
  /** `call_0`, `call_1`, … when left out. An empty text sends no id at all (chat completions). */
  readonly id?: string;
  readonly name: string;
  /** An object is sent as JSON; a text as it is, broken JSON included. `{}` when left out. */
  readonly args?: object | string;
  /** Into how many pieces the arguments are split; 1 when left out. Several calls of one reply come interleaved. */
  readonly fragments?: number;
}

export interface ScriptedUsage {
  readonly input?: number;
  readonly output?: number;
  /** Of `input`. */
  readonly cached?: number;
  /** USD; chat completions only. */
  readonly cost?: number;
}

/**
 * One answer. The deltas come in this order: `reasoning`, `text`, `toolCalls`; each entry of a list and each argument
 * fragment counts as one delta for `cutAfter`, `stallAfter` and `delayMs`, and so does the opening of a tool call.
 */
export interface ScriptedReply {
  /** One delta, or one for each entry. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string | readonly string[];
  /** The name of `reasoning` on chat completions; `reasoning` when left out. */
  readonly reasoningField?: 'reasoning' | 'reasoning_content';
  /** Signs the reasoning: of a thinking block, of the first call (chat completions), or as encrypted content (Responses). */
  readonly signature?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** `{ input: 10, output: 5 }` when left out; `false` sends none. */
  readonly usage?: ScriptedUsage | false;
  /** `stop`, `tool_calls`, `length` or `content_filter`, put into the words of the wire; others as they are. Worked out when left out. */
  readonly finish?: string;
  /** Another status than 200 sends `body` instead of a stream. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of a stream: a text as it is, an object as JSON. For faults and odd servers. With `status` alone: an error body in the provider's shape. */
  readonly body?: string | object;
  /** Wait before each delta; 0 when left out, and then all deltas go out in one write. */
  readonly delayMs?: number;
  /** Kills the connection after that many deltas; 0 kills it right after the headers. */
  readonly cutAfter?: number;
  /** Falls silent after that many deltas, until `until` resolves, the client goes away, or the server is closed. */
  readonly stallAfter?: number;
  /** With `stallAfter`: go on when it resolves. Alone: wait for it before the headers. */
  readonly until?: Promise<unknown>;
  /** Does not end the response after the last event, as some servers do. */
  readonly keepOpen?: boolean;
  /** Answers in one JSON document although a stream was asked for. */
  readonly asJson?: boolean;
  /** Only for requests that this accepts; the first reply of the list that fits is taken. */
  readonly when?: (request: ScriptedRequest) => boolean;
  /** Stays in the list after it was used, so it answers again and again. */
  readonly always?: boolean;
}

export interface ScriptedRequest {
  readonly index: number;
  readonly wire: ScriptedWire;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON body: `model`, `messages`, `tools`, … */
  readonly body: any;
  /** How the answer ended: `complete`, `cut` by the script, or `gone`: the client closed the connection early. */
  readonly ended: Promise<'complete' | 'cut' | 'gone'>;
}

/** A list is used up one reply for each request; a function is asked for each request. */
export type Script = readonly ScriptedReply[] | ((request: ScriptedRequest) => ScriptedReply | Promise<ScriptedReply>);

/** For `when`: a request of a turn. What is asked beside one, as for a title, offers no tools. */
export const isOfTurn = ({ body }: ScriptedRequest): boolean => (body.tools?.length ?? 0) > 0;

/** Notes of the product inside the conversation of a request, oldest first. */
export const notesOf = ({ body }: ScriptedRequest): string[] =>
  (body.messages as { readonly content: unknown }[]).flatMap(({ content }) =>
    [...textOf(content).matchAll(/<system-note>\n(.*?)\n<\/system-note>/gs)].map(([, note = '']) => note),
  );

/** A message as it was said, without the notes that the product put behind it. */
export const withoutNotes = (text: string): string => text.replace(/\n\n<system-note>.*?<\/system-note>/gs, '');

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('\n') : '';

export interface ScriptedModel {
  /** For `AGENT_API_BASE_URL`: `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  readonly requests: readonly ScriptedRequest[];
  readonly left: number;
  /** Connections opened so far. */
  readonly connections: number;
  /** What `GET …/models` answers: a document, or a fault for the key it got; 404 when left out. */
  listModels(answer: (key: string) => { readonly status?: number; readonly body: object }): void;
  readonly listed: number;
  /** Appends to the list; with a function as script the list is used first. */
  push(...replies: readonly ScriptedReply[]): void;
  /** Begins anew with that script: open answers are dropped, and what was asked and said so far is forgotten. */
  play(script: Script): void;
  /** Resolves with the request of that index as soon as it has come in. */
  request(index: number): Promise<ScriptedRequest>;
  /** What an environment needs to talk to it: base URL, a key, and no waiting between retries. */
  readonly environment: Readonly<Record<string, string>>;
  /** Drops every connection. One that a unit test starts is closed with it. */
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
 * Helper calls (titles, memory extraction, …) take replies too where such a plugin is on; give the replies of the turn a
 * `when`, or use a function. A request for which nothing is left gets a 404 that says so, which is not retried.
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

/** What was said so far still arrives; then the connection is gone without an end. */
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
