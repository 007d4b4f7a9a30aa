// One connection to one server: what it offers, calls with their limits, and its questions. The protocol's library is loaded with it.
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Processes } from 'agent-harness/plugins/processes';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { createCommandTransport, type CommandTransport } from './command-transport.ts';
import { cutLine, whyOf } from './foreign-text.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { initializeMs, mostMessagesPerSecond, rereadMs } from './limits.ts';
import type { ServerOffer } from './offer.ts';
import { createOldTransport } from './old-transport.ts';
import type { ElicitAnswer } from './elicitation.ts';
import { readTools } from './read-offer.ts';
import type { ServerSpec, UrlSpec } from './server-spec.ts';
import { createStatelessFetch, wantsNoHandshake } from './stateless-fetch.ts';
import { watchScopes } from './scope-steps.ts';
import type { LinkSignIn } from './sign-in.ts';
import { SessionLost, SignInNeeded } from './losses.ts';

export interface LinkParts {
  readonly spec: ServerSpec;
  readonly processes: Processes;
  readonly client: { readonly name: string; readonly version: string };
  /** What the server may know of as its root; nothing when left out. */
  readonly workspaceRoot?: string;
  readonly signIn?: LinkSignIn;
  elicit(params: { readonly message: string; readonly requestedSchema?: unknown }, signal: AbortSignal): Promise<ElicitAnswer>;
  /** What it offers changed. */
  onOffer(offer: ServerOffer): void;
  log(line: string): void;
  /** It asked for its root. */
  onRoots?(): void;
}

export interface Link {
  readonly offer: ServerOffer;
  /** Asks the server. `asTask`: runs it as a task and waits for its result. Rejects with a sentence. */
  request(
    method: string,
    params: Record<string, unknown>,
    options: { readonly signal: AbortSignal; onProgress?(note: string): void; asTask?: boolean },
  ): Promise<unknown>;
  /** Resolves with the reason once it is gone. */
  readonly closed: Promise<string>;
  /** Resolves within 2 s. */
  close(): Promise<void>;
}

const capabilities = { roots: {}, elicitation: { form: {} } };
const mostPages = 50;
/** A server does not say when it has taken its root to heart; a call before that would be refused. */
const rootsSettleMs = 200;
/** The library's own limit is out of the way: {@link watchCall} keeps the time. */
const noLimitMs = 2 ** 31 - 1;

/** Connects and reads what is offered. Rejects with {@link SignInNeeded}, or with a sentence that says what is wrong. */
export async function openLink(parts: LinkParts, signal: AbortSignal): Promise<Link> {
  let isAsked = false;
  const hasAskedRoots = (): boolean => isAsked;
  const { client, transport } = await connect({ ...parts, onRoots: () => (isAsked = true) }, signal);
  const words = wordsOf(transport);
  let offer: ServerOffer;
  try {
    offer = await readOffer(client);
    if (hasAskedRoots()) await quiet(rootsSettleMs);
  } catch (fault) {
    const said = words();
    await client.close();
    if (fault instanceof UnauthorizedError) throw new SignInNeeded('somebody must sign in first', { cause: fault });
    throw new Error(`it does not list its tools: ${whyOf(fault)}${said === '' ? '' : ` (${said})`}`, { cause: fault });
  }
  return follow(client, transport, offer, parts, words);
}

async function connect(parts: LinkParts, signal: AbortSignal): Promise<{ client: Client; transport: Transport }> {
  const { spec } = parts;
  if (spec.kind === 'command') return attempt(createCommandTransport(spec, parts.processes), parts, signal);
  const url = new URL(spec.url);
  const options = httpOptions(spec, url, parts.signIn);
  try {
    return await attempt(new StreamableHTTPClientTransport(url, options), parts, signal);
  } catch (fault) {
    if (wantsNoHandshake(fault))
      return attempt(new StreamableHTTPClientTransport(url, { ...options, fetch: statelessFetch(url, options.fetch, parts) }), parts, signal);
    if (!isOldServer(fault)) throw fault;
    return attempt(createOldTransport(url, options.fetch), parts, signal).catch(() => {
      throw fault;
    });
  }
}

function httpOptions(spec: UrlSpec, url: URL, signIn: LinkSignIn | undefined) {
  const fetchIt = createGuardedFetch(url, spec.headers);
  return signIn ? { fetch: watchScopes(fetchIt, (scope) => signIn.needMore(scope)), authProvider: signIn.provider } : { fetch: fetchIt };
}

function statelessFetch(url: URL, send: FetchLike, parts: LinkParts): FetchLike {
  return createStatelessFetch(url, send, {
    client: parts.client,
    capabilities,
    async answer(method, params, signal) {
      if (method === 'elicitation/create') return parts.elicit(params as { message: string; requestedSchema?: unknown }, signal);
      if (method === 'roots/list') return { roots: rootsOf(parts) };
      throw new Error(`the server wants something that nobody answers here (${cutLine(method, 100)})`);
    },
  });
}

function rootsOf({ workspaceRoot }: LinkParts): { uri: string; name: string }[] {
  return workspaceRoot === undefined ? [] : [{ uri: pathToFileURL(workspaceRoot).href, name: 'workspace' }];
}

/** Servers from before streamable HTTP do not know what to do with a POST. */
function isOldServer(fault: unknown): boolean {
  const { cause } = fault as Error;
  return cause instanceof StreamableHTTPError && [400, 404, 405, 406].includes(cause.code ?? 0);
}

async function attempt(transport: Transport, parts: LinkParts, signal: AbortSignal): Promise<{ client: Client; transport: Transport }> {
  const client = makeClient(parts);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(initializeMs)]);
  // Before the handshake nothing but the transport can be ended.
  const end = (): void => void transport.close();
  limit.addEventListener('abort', end, { once: true });
  try {
    countMessages(transport, parts);
    await client.connect(transport, { timeout: initializeMs });
    return { client, transport };
  } catch (fault) {
    const words = wordsOf(transport)();
    await transport.close().catch(() => undefined);
    if (fault instanceof UnauthorizedError) throw new SignInNeeded('somebody must sign in first', { cause: fault });
    const late = limit.aborted && !signal.aborted ? `it did not answer within ${initializeMs / 1_000} s` : whyOf(fault);
    throw new Error(words === '' || late.includes(words) ? late : `${late} (${words})`, { cause: fault });
  } finally {
    limit.removeEventListener('abort', end);
  }
}

function makeClient(parts: LinkParts): Client {
  const client = new Client(parts.client, { capabilities });
  client.setRequestHandler(ListRootsRequestSchema, () => {
    parts.onRoots?.();
    return { roots: rootsOf(parts) };
  });
  client.setRequestHandler(
    ElicitRequestSchema,
    async ({ params }, { signal }) => parts.elicit(params as { message: string; requestedSchema?: unknown }, signal) as Promise<never>,
  );
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => parts.log(cutLine(JSON.stringify(params.data) ?? '', 500)));
  client.onerror = (fault) => parts.log(cutLine(whyOf(fault), 500));
  return client;
}

/** Ends a connection that sends more than anybody could use. */
function countMessages(transport: Transport, parts: LinkParts): void {
  let second = 0;
  let count = 0;
  transport.onmessage = () => {
    const now = Math.floor(performance.now() / 1_000);
    count = now === second ? count + 1 : 1;
    second = now;
    if (count !== mostMessagesPerSecond) return;
    parts.log('it floods');
    if ('fail' in transport) (transport as CommandTransport).fail(`it sent more than ${mostMessagesPerSecond} messages in a second`);
    else void transport.close();
  };
}

async function readOffer(client: Client): Promise<ServerOffer> {
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const listed = tools ? await listAll(client) : [];
  return { ...readTools(listed), hasResources: resources !== undefined, hasPrompts: prompts !== undefined };
}

/** Without the library's check of the list: one broken tool must not hide the others. */
async function listAll(client: Client): Promise<unknown[]> {
  const all: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const { tools, nextCursor } = await client.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } }, ResultSchema, {
      timeout: initializeMs,
    });
    if (Array.isArray(tools)) all.push(...(tools as unknown[]));
    if (typeof nextCursor !== 'string' || nextCursor === cursor) return all;
    cursor = nextCursor;
  }
  return all;
}

function follow(client: Client, transport: Transport, first: ServerOffer, parts: LinkParts, words: () => string): Link {
  let offer = first;
  let timer: NodeJS.Timeout | undefined;
  const ended = new AbortController();
  const closed = new Promise<string>((resolve) => {
    client.onclose = () => {
      clearTimeout(timer);
      ended.abort();
      resolve(words() || 'the connection was closed');
    };
  });
  async function reread(): Promise<void> {
    timer = undefined;
    try {
      offer = await readOffer(client);
      parts.onOffer(offer);
    } catch (fault) {
      if (!ended.signal.aborted) parts.log(`its list of tools cannot be read again: ${whyOf(fault)}`);
    }
  }
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    timer ??= setTimeout(() => void reread(), rereadMs);
  });

  return {
    get offer() {
      return offer;
    },
    closed,
    async request(method, params, { signal, onProgress, asTask }) {
      const limits = { signal, timeout: noLimitMs, ...(onProgress ? { onprogress: (progress: Progress) => onProgress(noteOf(progress)) } : {}) };
      try {
        if (asTask !== true) return await client.request({ method, params }, ResultSchema, limits);
        return await runTask(client, { method, params }, limits);
      } catch (fault) {
        const lost = lossOf(fault);
        // With the rights there are, the others go on.
        const isForMore = lost instanceof SignInNeeded && parts.signIn?.isNeeded() === false;
        if (isForMore) throw new SignInNeeded('somebody must give it more rights first', { cause: fault });
        if (lost) await client.close();
        if (lost) throw lost;
        if (!ended.signal.aborted) throw fault;
        throw new Error(`the server is gone: ${await closed}`, { cause: fault });
      }
    },
    async close() {
      clearTimeout(timer);
      if (transport instanceof StreamableHTTPClientTransport) await Promise.race([transport.terminateSession().catch(() => undefined), quiet(1_000)]);
      await client.close();
    },
  };
}

/** By HTTP nothing closes by itself: only a request tells that the other side is gone, or knows us no longer. */
function lossOf(fault: unknown): Error | undefined {
  if (fault instanceof UnauthorizedError) return new SignInNeeded('somebody must sign in again', { cause: fault });
  if (fault instanceof StreamableHTTPError && fault.code === 404) return new SessionLost('the server has forgotten the session', { cause: fault });
  return fault instanceof TypeError && fault.message === 'fetch failed'
    ? new Error(`the server cannot be reached: ${whyOf(fault)}`, { cause: fault })
    : undefined;
}

async function runTask(client: Client, request: object, limits: object): Promise<unknown> {
  for await (const message of client.experimental.tasks.requestStream(request as never, ResultSchema, { ...limits, task: {} })) {
    if (message.type === 'result') return message.result;
    if (message.type === 'error') throw message.error;
  }
  throw new Error('the task ended without a result');
}

function noteOf({ progress, total, message }: Progress): string {
  const share = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message === undefined ? share : `${share}: ${cutLine(message, 300)}`;
}

function wordsOf(transport: Transport): () => string {
  return 'lastWords' in transport ? () => (transport as CommandTransport).lastWords() : () => '';
}

function quiet(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
