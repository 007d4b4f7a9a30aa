// The headers that every reply carries, and what browsers ask before they call from another origin.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OriginPolicy } from './origin-policy.ts';

/** Set on the raw reply, so that streams and 404s have them too. A page sets its own content policy over this one. */
const common = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

export function setCommonHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
}

/** Contract: the origin was judged and not refused. Answers whether the request was a preflight and is done. */
export function isAnswered(request: IncomingMessage, response: ServerResponse, policy: OriginPolicy, productName: string): boolean {
  response.setHeader('vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined) return false;
  // Never with credentials: what a foreign page knows of us is the token that it was given.
  if (policy.judgeOrigin(request) === 'foreign') response.setHeader('access-control-allow-origin', origin);
  const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  if (!isPreflight) return false;
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE');
  response.setHeader('access-control-allow-headers', `authorization, content-type, last-event-id, x-${productName.toLowerCase()}-token`);
  response.setHeader('access-control-max-age', '600');
  response.writeHead(204).end();
  return true;
}
