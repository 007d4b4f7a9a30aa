// Serves one request of one route: wait, check, handle, reply.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { permits } from 'agent-harness/lib/permits';
import { filterBySchema } from 'agent-harness/lib/schema-filter';
import { isRecord } from 'agent-harness/lib/values';
import type { KernelControl } from 'agent-harness/kernel';
import type { FileReply, Route, RouteContext, RouteSchema } from 'agent-harness/plugins/http';
import { emptyBody, isForm } from './body-kinds.ts';
import type { MakeError } from './error-table.ts';
import { sendFile } from './file-reply.ts';
import type { CheckInput, Place } from './input-check.ts';
import { peerOf } from './local-peer.ts';
import type { ReplySections } from './reply-sections.ts';
import type { OwnedRoute } from './route-table.ts';
import { isDeclared, withoutToken } from './token-query.ts';

export interface RouteParts {
  readonly makeError: MakeError;
  /** Rejects with `NOT_READY`. */
  readonly waitUntilReady: () => Promise<void>;
  readonly loadInputCheck: () => Promise<CheckInput>;
  readonly callerOf: (request: FastifyRequest) => Pick<RouteContext, 'principal' | 'token'> | undefined;
  readonly isLocal: (request: FastifyRequest) => boolean;
  readonly sections: Pick<ReplySections, 'schemaOf' | 'fill'>;
  readonly runAs: KernelControl['runAs'];
  readonly guess: <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>;
}

/** Rejects with whatever should become the error reply. */
export async function runRoute(
  { route, owner }: Pick<OwnedRoute, 'route' | 'owner'>,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: RouteParts,
): Promise<void> {
  if (route.waitsForReady) await parts.waitUntilReady();
  const inputs = await checkInputs(route, request, parts);
  const context = createContext(inputs, request, reply, parts);
  const handle = async (): Promise<unknown> => parts.runAs(owner, () => route.handle(context), 'route');
  const result = await (route.isGuessable ? parts.guess(request, handle) : handle());
  if (route.isRaw || reply.sent || reply.raw.headersSent) return;
  void reply.code(route.isPending?.(result as never) === true ? 202 : (route.status ?? 200));
  if (route.mediaType !== undefined) {
    const text = (content: string): FileReply => ({ content: Buffer.from(content), type: `${route.mediaType}; charset=utf-8` });
    sendFile(request, reply, typeof result === 'string' ? text(result) : (result as FileReply), parts.makeError);
    return;
  }
  const schema = parts.sections.schemaOf(route);
  const whole = await parts.sections.fill(route, result, context);
  const body = schema ? filterBySchema(schema, whole, mayRead(context)) : whole;
  void reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body ?? {}));
}

/** What fields ask for by name. Without a token it is the person at this machine, who has them all, or nobody. */
function mayRead(context: RouteContext): (permission: string) => boolean {
  return (permission) => (context.principal ? permits(context.principal, permission) : context.isLocal);
}

type Inputs = Readonly<Record<Place, unknown>>;

const noFields = { type: 'object', additionalProperties: false };

/** Where a JSON route names no body, it takes none; a raw one may look at what came by itself. */
async function checkInputs({ schema, isRaw, bodyKind }: Route, request: FastifyRequest, parts: RouteParts): Promise<Inputs> {
  const hasBody = request.body !== undefined;
  const isBytes = bodyKind === 'raw' || bodyKind === 'stream' || bodyKind === 'json-stream';
  const query = withoutToken(request.query as Record<string, unknown>, schema.query);
  const inputs = {
    params: { ...(request.params as object) },
    query,
    body: withScope(hasBody ? request.body : emptyBody(bodyKind), query, schema),
  };
  const rules = { params: schema.params, query: schema.query, body: isBytes ? undefined : (schema.body ?? (hasBody && !isRaw ? noFields : undefined)) };
  for (const place of ['params', 'query', 'body'] as const) {
    const rule = rules[place];
    if (!rule) continue;
    const { check } = await parts.loadInputCheck();
    const finding = check(place, rule, inputs[place], place !== 'body' || isForm(request));
    if (finding) throw parts.makeError('INVALID_REQUEST', { ...finding });
  }
  return inputs;
}

/** Whatever takes a chat in its body takes it in the query, too, as clients put it there for every call. The body counts where both name one. */
const scope = 'chatId';

function withScope(body: unknown, query: Readonly<Record<string, unknown>>, schema: RouteSchema): unknown {
  const isAsked = query[scope] !== undefined && isDeclared(scope, schema.body) && !isDeclared(scope, schema.query);
  return isAsked && isRecord(body) && body[scope] === undefined ? { ...body, [scope]: query[scope] } : body;
}

function createContext(inputs: Inputs, request: FastifyRequest, reply: FastifyReply, parts: RouteParts): RouteContext {
  let leaving: AbortSignal | undefined;
  const { principal, token } = parts.callerOf(request) ?? {};
  return {
    ...(inputs as Pick<RouteContext, Place>),
    headers: request.headers,
    peer: peerOf(request.raw.socket),
    requestId: request.id,
    ...(principal ? { principal } : {}),
    ...(token === undefined ? {} : { token }),
    // Asks the system, so only for whom it matters.
    get isLocal() {
      return parts.isLocal(request);
    },
    get signal() {
      return (leaving ??= signalOf(reply));
    },
    request,
    reply,
  };
}

function signalOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController();
  const leave = (): void => {
    if (!raw.writableFinished) leaving.abort();
  };
  if (raw.closed || raw.destroyed) leave();
  else raw.once('close', leave);
  return leaving.signal;
}
