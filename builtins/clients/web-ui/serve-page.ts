// Serves the page under a policy that lets only its own scripts and styles run.
import type { KernelError } from 'agent-harness/kernel';
import type { RouteContext, WebToken } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';
import { assets, indexTemplate } from './assets.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const always = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

type Visit = Pick<RouteContext, 'isLocal' | 'isAuthenticated' | 'headers' | 'request' | 'reply'>;

/** The user of this machine gets the token; who came with one gets just that one back; others have to type one in. */
export async function serveIndex(visit: Visit, services: { readonly product: Product; readonly webToken: WebToken }): Promise<void> {
  const { product, webToken } = services;
  const token = visit.isLocal ? await webToken.current() : visit.isAuthenticated ? broughtToken(visit, product) : undefined;
  const meta = token === undefined ? '' : `<meta name="${escapeHtml(product.name)}-web-auth" content="${escapeHtml(token)}" />`;
  const html = indexTemplate.replaceAll('{{title}}', () => escapeHtml(product.title)).replace('<!-- token -->', () => meta);
  await visit.reply.headers({ ...always, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).send(html);
}

/** A device's own token must not turn into the web token, which outlives it. */
function broughtToken({ headers, request }: Visit, { name }: Product): string | undefined {
  const query = request.query as Readonly<Record<string, unknown>>;
  const candidates = [/^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1], headers[`x-${name}-token`], query['authToken'], query['token']];
  return candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '');
}

export async function serveAsset(
  { params, headers, reply }: Pick<RouteContext, 'params' | 'headers' | 'reply'>,
  notFound: (name: string) => KernelError,
): Promise<void> {
  const { name = '' } = params as { readonly name?: string };
  const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
  if (!asset) throw notFound(name);
  reply.headers({ ...always, 'content-type': asset.type, 'cache-control': 'no-cache', etag: asset.etag });
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  await (known?.includes(asset.etag) ? reply.code(304).send() : reply.send(asset.text));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
