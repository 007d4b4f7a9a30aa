// Runs the handler of a route in the context of its plugin, and prepares the reply: status, bytes, or JSON without fields that the caller may not read.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { permits } from '#lib/permits';
import { filterBySchema } from '#lib/schema-filter';
import type { KernelControl } from 'agent-harness/kernel';
import type { FileReply, RouteContext } from 'agent-harness/plugins/http';
import type { Caller } from './access.ts';
import type { MakeError } from './errors.ts';
import { fileReply } from './file-reply.ts';
import { peerOf } from './local-peer.ts';
import type { ReplySections } from './reply-sections.ts';
import type { OwnedRoute } from './route-table.ts';

export interface RouteParts {
  readonly makeError: MakeError;
  readonly callerOf: (request: FastifyRequest) => Caller;
  readonly isLocal: (request: FastifyRequest) => boolean;
  readonly sections: Pick<ReplySections, 'schemaOf' | 'fill'>;
  readonly runAs: KernelControl['runAs'];
  readonly guess: <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>;
}

/**
 * Runs a route, and returns the payload; `undefined` for a raw route. Rejects with the error that becomes the reply. Contract: the input has been validated.
 */
export async function runRoute({ route, owner }: OwnedRoute, request: FastifyRequest, reply: FastifyReply, parts: RouteParts): Promise<unknown> {
  const context = createContext(request, reply, parts);
  const handle = async (): Promise<unknown> => parts.runAs(owner, () => route.handle(context), 'route');
  const result = await (route.isGuessable ? parts.guess(request, handle) : handle());
  if (route.isRaw || reply.sent || reply.raw.headersSent) return undefined;
  void reply.code(route.isPending?.(result as never) === true ? 202 : (route.status ?? 200));
  if (route.mediaType !== undefined) {
    const text = (content: string): FileReply => ({ content: Buffer.from(content), type: `${route.mediaType}; charset=utf-8` });
    return fileReply(request, reply, typeof result === 'string' ? text(result) : (result as FileReply), parts.makeError);
  }
  const schema = parts.sections.schemaOf(route);
  const whole = await parts.sections.fill(route, result, context);
  void reply.type('application/json; charset=utf-8');
  return JSON.stringify((schema ? filterBySchema(schema, whole, mayRead(context)) : whole) ?? {});
}

/** Returns a function that checks the permissions of fields. Without a token, local requests have all permissions, and other requests none. */
function mayRead(context: RouteContext): (permission: string) => boolean {
  return (permission) => (context.principal ? permits(context.principal, permission) : context.isLocal);
}

function createContext(request: FastifyRequest, reply: FastifyReply, parts: RouteParts): RouteContext {
  let leaving: AbortSignal | undefined;
  const { principal, token } = parts.callerOf(request);
  return {
    params: request.params as RouteContext['params'],
    query: request.query as RouteContext['query'],
    body: request.body as RouteContext['body'],
    headers: request.headers,
    peer: peerOf(request.raw.socket),
    requestId: request.id,
    ...(principal ? { principal } : {}),
    ...(token === undefined ? {} : { token }),
    // A getter, because most handlers do not need the value and the check reads system tables.
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

/** Returns a signal that is aborted if the connection closes before the response has ended. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController();
  const leave = (): void => {
    if (!raw.writableEnded) leaving.abort();
  };
  if (raw.closed || raw.destroyed) leave();
  else raw.once('close', leave);
  return leaving.signal;
}
