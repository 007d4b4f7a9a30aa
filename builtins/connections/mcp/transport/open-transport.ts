// Opens the connection to one server: as a child process, over HTTP with or without a handshake, or with the older transport.
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Processes } from 'agent-harness/plugins/processes';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema, ListRootsRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { createCommandTransport, type CommandTransport } from './command-transport.ts';
import type { ElicitAnswer } from '../server/elicitation.ts';
import { cutLine, whyOf } from '../server/foreign-text.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { initializeMs, longestStartMs, mostMessagesPerSecond } from '../limits.ts';
import { SignInNeeded } from './connection-faults.ts';
import type { ServerOffer } from '../server/offer.ts';
import { createOldTransport } from './old-transport.ts';
import type { ParamHeader } from './param-headers.ts';
import type { CommandSpec, ServerSpec, UrlSpec } from '../saved/server-spec.ts';
import { createStatelessFetch, HandshakeWanted } from './stateless-fetch.ts';
import { createStatelessLines } from './stateless-lines.ts';
import type { StatelessParts } from './stateless.ts';
import { watchScopes } from '../sign-in/scope-steps.ts';
import type { LinkSignIn } from '../sign-in/sign-in.ts';

export interface LinkParts {
  readonly spec: ServerSpec;
  readonly processes: Processes;
  readonly client: { readonly name: string; readonly version: string };
  /** Workspace root that the server may read; default: none. */
  readonly workspaceRoot?: string;
  readonly signIn?: LinkSignIn;
  elicit(params: { readonly message: string; readonly requestedSchema?: unknown }, signal: AbortSignal): Promise<ElicitAnswer>;
  /** Called when the features of the server change. */
  onOffer(offer: ServerOffer): void;
  log(line: string): void;
  /** Called when the server requests its root. */
  onRoots?(): void;
}

export interface OpenTransport {
  readonly client: Client;
  readonly transport: Transport;
  /** Required headers by tool, for a server without a handshake; the reader of the tool list fills it in. */
  readonly headers?: Map<string, readonly ParamHeader[]>;
}

const capabilities = { roots: {}, elicitation: { form: {} } };

/** Connects. Rejects with {@link SignInNeeded}, or with an error that describes the problem. */
export async function connect(parts: LinkParts, signal: AbortSignal): Promise<OpenTransport> {
  const { spec } = parts;
  if (spec.kind === 'command') return connectCommand(spec, parts, signal);
  const url = new URL(spec.url);
  const options = httpOptions(spec, url, parts.signIn);
  const headers = new Map<string, readonly ParamHeader[]>();
  try {
    const fetchIt = createStatelessFetch(url, options.fetch, { ...statelessParts(parts), headersOf: (tool) => headers.get(tool) ?? [] });
    return { ...(await attempt(new StreamableHTTPClientTransport(url, { ...options, fetch: fetchIt }), parts, signal)), headers };
  } catch (fault) {
    if (!((fault as Error).cause instanceof HandshakeWanted)) throw fault;
  }
  try {
    return await attempt(new StreamableHTTPClientTransport(url, options), parts, signal);
  } catch (fault) {
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

/** A server that exits on a request before the handshake is started again, with the handshake. */
async function connectCommand(spec: CommandSpec, parts: LinkParts, signal: AbortSignal): Promise<OpenTransport> {
  const start = (): CommandTransport => createCommandTransport(spec, parts.processes);
  const stateless = createStatelessLines(start(), statelessParts(parts));
  try {
    return await attempt(stateless, parts, signal);
  } catch (fault) {
    if (!stateless.endedInDiscovery() || signal.aborted) throw fault;
    return attempt(start(), parts, signal);
  }
}

function statelessParts(parts: LinkParts): StatelessParts {
  return {
    client: parts.client,
    capabilities,
    async answer(method, params, signal) {
      if (method === 'elicitation/create') return parts.elicit(params as { message: string; requestedSchema?: unknown }, signal);
      if (method === 'roots/list') return { roots: rootsOf(parts) };
      throw new Error(`this client does not support a request of the server (${cutLine(method, 100)})`);
    },
  };
}

function rootsOf({ workspaceRoot }: LinkParts): { uri: string; name: string }[] {
  return workspaceRoot === undefined ? [] : [{ uri: pathToFileURL(workspaceRoot).href, name: 'workspace' }];
}

/** Returns whether the server may predate streamable HTTP; such a server does not support POST. */
function isOldServer(fault: unknown): boolean {
  const { cause } = fault as Error;
  return cause instanceof StreamableHTTPError && [400, 404, 405, 406].includes(cause.code ?? 0);
}

async function attempt(transport: Transport, parts: LinkParts, signal: AbortSignal): Promise<OpenTransport> {
  const client = makeClient(parts);
  const limitMs = parts.spec.kind === 'command' ? longestStartMs : initializeMs;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  // Before the handshake, only the transport can be closed.
  const end = (): void => void transport.close();
  limit.addEventListener('abort', end, { once: true });
  try {
    countMessages(transport, parts);
    await client.connect(transport, { timeout: limitMs });
    return { client, transport };
  } catch (fault) {
    const words = wordsOf(transport)();
    await transport.close().catch(() => undefined);
    if (fault instanceof UnauthorizedError) throw new SignInNeeded('the user must sign in first', { cause: fault });
    const late = limit.aborted && !signal.aborted ? `it did not respond within ${limitMs / 1_000} s` : whyOf(fault);
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
  client.onerror = (fault) => {
    if (!(fault instanceof HandshakeWanted)) parts.log(cutLine(whyOf(fault), 500));
  };
  return client;
}

/** Ends a connection that sends too many messages. */
function countMessages(transport: Transport, parts: LinkParts): void {
  let second = 0;
  let count = 0;
  transport.onmessage = () => {
    const now = Math.floor(performance.now() / 1_000);
    count = now === second ? count + 1 : 1;
    second = now;
    if (count !== mostMessagesPerSecond) return;
    parts.log('it sends too many messages');
    if ('fail' in transport) (transport as CommandTransport).fail(`it sent more than ${mostMessagesPerSecond} messages in a second`);
    else void transport.close();
  };
}

/** Returns the last output of the server, for error messages. */
export function wordsOf(transport: Transport): () => string {
  return 'lastWords' in transport ? () => (transport as CommandTransport).lastWords() : () => '';
}
