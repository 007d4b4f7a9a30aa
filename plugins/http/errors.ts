// Declares the HTTP errors, and converts thrown errors to replies: status, headers and JSON body, or a page for browsers.
import type { ServerResponse } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { codeOf, sentencesOf } from '#lib/errors';
import { escapeHtml } from '#lib/text';
import type { ErrorSpec, KernelError } from 'agent-harness/kernel';

export const errors = {
  HOST_NOT_ALLOWED: {
    message: "The host '{host}' is not allowed. Open the server as localhost, or add the host name to {variable}.",
    status: 403,
  },
  ORIGIN_NOT_ALLOWED: {
    message: "Pages of the origin '{origin}' may not call this server. To allow them, add the origin to AGENT_WEB_CORS_ORIGINS.",
    status: 403,
  },
  UNAUTHORIZED: { message: 'The web token is missing or invalid. Send it in the header Authorization: Bearer <token>.', status: 401 },
  FORBIDDEN: {
    message: "The request needs the permission '{permission}' (role {role}, not limited to other areas). An owner can grant it.",
    status: 403,
  },
  ENTITLEMENT_REQUIRED: { message: "The request needs the entitlement '{entitlement}', which your plan does not include.", status: 403 },
  TOO_MANY_ATTEMPTS: { message: 'Too many wrong tokens or codes from this address. Try again in {retryAfter} seconds.', status: 429 },
  NOT_FOUND: { message: 'The route {method} {path} does not exist.', status: 404 },
  INVALID_REQUEST: { message: 'The request is not valid: {why}', status: 400 },
  UNSUPPORTED_MEDIA_TYPE: { message: 'Send the body as JSON, with the header Content-Type: application/json.', status: 415 },
  TOO_LARGE: { message: 'The request is too large. The limit is {limit} bytes.', status: 413 },
  RANGE_NOT_SATISFIABLE: { message: 'The requested range does not exist. The content is {bytes} bytes long.', status: 416 },
  REQUEST_TIMEOUT: { message: 'The request took too long to arrive. Send it again.', status: 408 },
  HEADERS_TOO_LARGE: { message: 'The headers of the request are too large.', status: 431 },
  NOT_READY: { message: 'The server is starting or stopping. Try again in a moment.', status: 503 },
  INTERNAL_ERROR: { message: 'An internal error occurred. See the server log for this request id.', status: 500 },
  PORT_IN_USE: { message: 'Port {port} on {host} is in use. Stop the program that uses it, or set PORT to another port.', status: 409 },
  LISTEN_FAILED: { message: 'Cannot listen on {host} port {port}: {why}', status: 500 },
  BIND_REFUSED: {
    message: "Other machines can reach '{host}'. Set AGENT_WEB_TOKEN or pair a device before binding to it, or leave AGENT_WEB_BIND_HOST at 127.0.0.1.",
    status: 403,
  },
  TOKEN_GUESSABLE: {
    message: "Other machines can reach '{host}' and could guess an AGENT_WEB_TOKEN of fewer than {least} characters. Set a longer token.",
    status: 403,
  },
  TOKEN_FIXED: { message: 'The environment variable AGENT_WEB_TOKEN sets the web token. Change the variable instead.', status: 409 },
} as const satisfies Record<string, ErrorSpec>;

export type MakeError = (reason: keyof typeof errors, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;

export interface ErrorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Message for users, with the required action. */
  readonly message: string;
  /** Whether the error is unexpected and must be logged. */
  readonly isFault: boolean;
}

interface Coded {
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly plugin?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Converts a thrown error to a reply that contains no stacks, paths or messages that were not written for clients. */
export function toErrorReply(thrown: unknown, requestId: string, make: MakeError): ErrorReply {
  const foreseen = findForeseen(thrown);
  const { code, message, details, status = 500 } = foreseen ?? make('INTERNAL_ERROR');
  const error = {
    code: code.slice(code.indexOf('_ERR_') + '_ERR_'.length).toLowerCase(),
    message,
    ...(details && Object.keys(details).length > 0 ? { details } : {}),
    requestId,
  };
  const retryAfter = details?.['retryAfter'];
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...(typeof retryAfter === 'number' ? { 'retry-after': String(retryAfter) } : {}) },
    body: toJson(error),
    message: sentencesOf({ message, details }),
    isFault: !foreseen,
  };
}

export interface ErrorHandlerParts {
  readonly makeError: MakeError;
  /** Replaces the error of a full or read-only disk with an error that explains it; returns other errors unchanged. */
  readonly explain: (fault: unknown) => unknown;
  /** Logs an unexpected error. */
  readonly onFault: (fault: unknown, request: { readonly requestId: string; readonly route: string }) => void;
}

/** Sends an error on behalf of fastify, or ends the response if its headers were already sent. */
export function sendError(fault: unknown, request: FastifyRequest, reply: FastifyReply, parts: ErrorHandlerParts): void {
  const error = toErrorReply(parts.explain(translate(fault, request, parts.makeError)), request.id, parts.makeError);
  const { url = '(no route)', config } = request.routeOptions;
  // Logs the pattern of the route, because the URL may contain a token.
  if (error.isFault && !hasLeft(fault, request)) parts.onFault(fault, { requestId: request.id, route: `${request.method} ${url}` });
  if (reply.raw.headersSent || reply.sent) {
    reply.raw.destroy();
    return;
  }
  // Fastify closes the connection after a body that it did not read, which would lose the reply, so the rest of the body is discarded instead.
  void reply.removeHeader('connection').code(error.status).headers(error.headers);
  // A browser that returns from a sign-in displays the reply.
  const isPage = (config.route?.mediaType === 'text/html' || config.route?.bodyKind === 'form') && /\btext\/html\b/.test(request.headers.accept ?? '');
  void (isPage ? reply.type('text/html; charset=utf-8').send(errorPage(error)) : reply.send(error.body));
}

/** Returns whether the request failed because the client closed the connection. */
function hasLeft(fault: unknown, { raw }: FastifyRequest): boolean {
  const { code, name } = (fault ?? {}) as { code?: unknown; name?: unknown };
  if (name === 'AbortError') return raw.socket.destroyed;
  return (raw.destroyed || raw.socket.destroyed) && (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE');
}

/** Converts a fastify error to an error of the table above. */
function translate(fault: unknown, request: FastifyRequest, make: MakeError): unknown {
  const { code, statusCode } = (fault ?? {}) as Partial<FastifyError>;
  if (typeof code !== 'string' || !code.startsWith('FST_')) return fault;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return make('TOO_LARGE', { limit: request.routeOptions.bodyLimit });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return make('UNSUPPORTED_MEDIA_TYPE');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return make('INVALID_REQUEST', { pointer: '', rule: 'json', why: 'the body is not valid JSON.' });
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return make('INVALID_REQUEST', { pointer: '', rule: 'url', why: 'the path cannot be parsed.' });
    default:
      return statusCode !== undefined && statusCode < 500
        ? make('INVALID_REQUEST', { pointer: '', rule: 'http', why: 'the request cannot be parsed.' })
        : fault;
  }
}

function errorPage({ message }: ErrorReply): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>That did not work</title>
<h1>That did not work.</h1>
<p>${escapeHtml(message)}</p>
<p>Close this page, go back to the application and try again.</p>
</html>
`;
}

/** Sends an error for a request that did not reach fastify. */
export function sendErrorReply(response: ServerResponse, reply: ErrorReply): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  response.end(reply.body);
}

/** Returns the thrown value if it is listed in a plugin's error table or has an HTTP status. */
function findForeseen(thrown: unknown): Coded | undefined {
  if (!isCoded(thrown)) return undefined;
  const isHttpStatus = thrown.status !== undefined && Number.isInteger(thrown.status) && thrown.status >= 400 && thrown.status <= 599;
  if (isHttpStatus) return thrown;
  const isOfPlugin = typeof thrown.plugin === 'string' && !thrown.code.startsWith('KRN_ERR_');
  return isOfPlugin ? { ...pick(thrown), status: 500 } : undefined;
}

function isCoded(thrown: unknown): thrown is Coded {
  return thrown instanceof Error && /^[A-Z][A-Z0-9_]*_ERR_[A-Z0-9_]+$/.test(codeOf(thrown) ?? '');
}

function pick({ code, message, details }: Coded): Coded {
  return { code, message, ...(details ? { details } : {}) };
}

function toJson(error: { code: string; message: string; requestId: string }): string {
  try {
    return JSON.stringify({ error });
  } catch {
    // The details cannot be serialized, so they are omitted.
    return JSON.stringify({ error: { code: error.code, message: error.message, requestId: error.requestId } });
  }
}
