// Turns anything thrown into the one shape of error replies.
import type { ServerResponse } from 'node:http';
import { codeOf, sentencesOf } from 'agent-harness/lib/errors';
import { escapeHtml } from 'agent-harness/lib/text';
import type { MakeError } from './error-table.ts';

export interface ErrorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For people, with what to do. */
  readonly message: string;
  /** Nobody foresaw it, so it belongs into the log. */
  readonly isFault: boolean;
}

interface Coded {
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly plugin?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Never lets a stack, a path or a message out that was not written for clients. */
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

/** What a browser shows of it. */
export function errorPage({ message }: ErrorReply): string {
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

/** For replies that never reach a route. */
export function sendErrorReply(response: ServerResponse, reply: ErrorReply): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  response.end(reply.body);
}

/** An error with a code in our style that came from a plugin's table, or that says its HTTP status itself. */
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
    // Details can hold anything, also what JSON cannot say.
    return JSON.stringify({ error: { code: error.code, message: error.message, requestId: error.requestId } });
  }
}
