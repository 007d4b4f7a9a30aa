// Implements one connection to one server: reads its features, makes calls within limits, and forwards its questions. Loads the protocol library.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpError, ResultSchema, ToolListChangedNotificationSchema, type Progress } from '@modelcontextprotocol/sdk/types.js';
import { withLimit } from '#lib/async';
import { cutLine, whyOf } from './foreign-text.ts';
import { initializeMs, rereadMs } from '../limits.ts';
import { SessionLost, SignInNeeded } from '../transport/connection-faults.ts';
import type { ServerOffer } from './offer.ts';
import { connect, wordsOf, type LinkParts, type OpenTransport } from '../transport/open-transport.ts';
import { readTools } from './read-offer.ts';
import { headerMismatch } from '../transport/stateless-fetch.ts';

export interface Link {
  readonly offer: ServerOffer;
  /** Sends a request. `asTask`: whether to run it as a task and wait for the result. Rejects with an error that describes the problem. */
  request(
    method: string,
    params: Record<string, unknown>,
    options: { readonly signal: AbortSignal; onProgress?(note: string): void; asTask?: boolean },
  ): Promise<unknown>;
  /** Resolves with the reason when the link is closed. */
  readonly closed: Promise<string>;
  /** Resolves within 2 s. */
  close(): Promise<void>;
}

const mostPages = 50;
/** Delay in milliseconds that gives the server time to process its root. Servers do not report when they have done so, and refuse calls until then. */
const rootsSettleMs = 200;
/** Timeout in milliseconds that disables the library's own timeout in favour of {@link watchCall}. */
const noLimitMs = 2 ** 31 - 1;

/** Connects and reads the server's features. Rejects with {@link SignInNeeded}, or with an error that describes the problem. */
export async function openLink(parts: LinkParts, signal: AbortSignal): Promise<Link> {
  let isAsked = false;
  const hasAskedRoots = (): boolean => isAsked;
  const way = await connect({ ...parts, onRoots: () => (isAsked = true) }, signal);
  const { client } = way;
  const words = wordsOf(way.transport);
  let offer: ServerOffer;
  try {
    offer = await readOffer(way);
    if (hasAskedRoots()) await quiet(rootsSettleMs);
  } catch (fault) {
    const said = words();
    await client.close();
    if (fault instanceof UnauthorizedError) throw new SignInNeeded('the user must sign in first', { cause: fault });
    throw new Error(`it does not list its tools: ${whyOf(fault)}${said === '' ? '' : ` (${said})`}`, { cause: fault });
  }
  return follow(way, offer, parts, words);
}

async function readOffer({ client, headers }: OpenTransport): Promise<ServerOffer> {
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const read = readTools(tools ? await listAll(client) : [], headers !== undefined);
  headers?.clear();
  for (const tool of read.tools) if (tool.headers) headers?.set(tool.name, tool.headers);
  return { ...read, hasResources: resources !== undefined, hasPrompts: prompts !== undefined };
}

/** Bypasses the library's validation, in which one invalid tool hides all others. */
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

function follow(way: OpenTransport, first: ServerOffer, parts: LinkParts, words: () => string): Link {
  const { client, transport } = way;
  let offer = first;
  let timer: NodeJS.Timeout | undefined;
  // The first change triggers an immediate read.
  let lastRead = -Infinity;
  /** The running read of the list. */
  let reading: Promise<void> | undefined;
  const ended = new AbortController();
  const closed = new Promise<string>((resolve) => {
    client.onclose = () => {
      clearTimeout(timer);
      ended.abort();
      resolve(words() || 'the connection was closed');
    };
  });
  function reread(): Promise<void> {
    timer = undefined;
    reading ??= readAgain().finally(() => {
      reading = undefined;
      lastRead = performance.now();
    });
    return reading;
  }
  async function readAgain(): Promise<void> {
    try {
      offer = await readOffer(way);
      parts.onOffer(offer);
    } catch (fault) {
      if (!ended.signal.aborted) parts.log(`its list of tools cannot be read again: ${whyOf(fault)}`);
    }
  }
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    // Reads the list immediately if it has been stable for a while, so that the next round of the turn has the tools.
    const pause = reading ? rereadMs : Math.max(0, lastRead + rereadMs - performance.now());
    if (pause === 0) void reread();
    else timer ??= setTimeout(() => void reread(), pause);
  });

  return {
    get offer() {
      return offer;
    },
    closed,
    async request(method, params, { signal, onProgress, asTask }) {
      const limits = { signal, timeout: noLimitMs, ...(onProgress ? { onprogress: (progress: Progress) => onProgress(noteOf(progress)) } : {}) };
      try {
        if (asTask === true) return await runTask(client, { method, params }, limits);
        const ask = (): Promise<unknown> => client.request({ method, params }, ResultSchema, limits);
        const result = await ask().catch(async (fault: unknown) => {
          if (!way.headers || !(fault instanceof McpError) || fault.code !== headerMismatch) throw fault;
          // The server did not run the tool, because its required headers have changed: the call is repeated.
          await reread();
          return ask();
        });
        // Waits for the changed list, so that the model receives it together with the result of the call.
        if (reading) await withLimit(reading, rereadMs, () => undefined);
        return result;
      } catch (fault) {
        const lost = lossOf(fault);
        // Other calls continue with the existing scopes.
        const isForMore = lost instanceof SignInNeeded && parts.signIn?.isNeeded() === false;
        if (isForMore) throw new SignInNeeded('the user must grant more rights first', { cause: fault });
        if (lost) await client.close();
        if (lost) throw lost;
        if (!ended.signal.aborted) throw fault;
        throw new Error(`the server disconnected: ${await closed}`, { cause: fault });
      }
    },
    async close() {
      clearTimeout(timer);
      if (transport instanceof StreamableHTTPClientTransport) await withLimit(transport.terminateSession(), 1_000, () => undefined).catch(() => undefined);
      await client.close();
    },
  };
}

/** Returns the error if the server or its session was lost during a request; HTTP connections do not report that they closed. */
function lossOf(fault: unknown): Error | undefined {
  if (fault instanceof UnauthorizedError) return new SignInNeeded('the user must sign in again', { cause: fault });
  if (fault instanceof StreamableHTTPError && fault.code === 404) return new SessionLost('the session no longer exists on the server', { cause: fault });
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

function quiet(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
