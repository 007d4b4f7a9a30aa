// Serves the built page, with the token for those who may have it, and its files.
import { randomBytes } from 'node:crypto';
import type { RouteContext, WebToken } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';
import { pageHeaders } from './page-policy.ts';
import type { Place, Site } from './site.ts';

type Visit = Pick<RouteContext, 'isLocal' | 'principal' | 'headers' | 'request' | 'reply'>;

/** The user of this machine gets the token; who came with one gets just that one back; others have to pair or type one in. */
export async function serveIndex(visit: Visit, site: Site, services: { readonly product: Product; readonly webToken: WebToken }): Promise<void> {
  const { product, webToken } = services;
  const { reply } = visit;
  const template = await site.template();
  void reply.headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  if (template === undefined) {
    await reply.code(503).headers(pageHeaders()).send(notBuilt(product.title));
    return;
  }
  const token = visit.isLocal ? await webToken.current() : visit.principal ? broughtToken(visit, product) : undefined;
  const nonce = randomBytes(16).toString('base64');
  const tags = [meta('csp-nonce', nonce), ...(token === undefined ? [] : [meta(`${product.name}-web-auth`, token)])].join('\n    ');
  const html = template.replaceAll('{{title}}', () => escapeHtml(product.title)).replace('<!-- token -->', () => tags);
  await reply.headers(pageHeaders(nonce)).send(html);
}

/** A device's own token must not turn into the web token, which outlives it. */
function broughtToken({ headers, request }: Visit, { name }: Product): string | undefined {
  const query = request.query as Readonly<Record<string, unknown>>;
  const candidates = [/^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1], headers[`x-${name}-token`], query['authToken'], query['token']];
  return candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '');
}

/** Answers whether there is such a file. */
export async function serveFile({ headers, reply }: Pick<RouteContext, 'headers' | 'reply'>, site: Site, place: Place, name: string): Promise<boolean> {
  const file = await site.find(place, name);
  if (!file) return false;
  // The name of an asset changes with its content.
  const caching = place === 'assets' ? 'public, max-age=31536000, immutable' : 'no-cache';
  void reply.headers({ ...pageHeaders(), 'content-type': file.type, 'cache-control': caching, etag: file.etag, vary: 'Origin, Accept-Encoding' });
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.includes(file.etag)) {
    await reply.code(304).send();
    return true;
  }
  const { content, encoding } = await file.encoded(headers['accept-encoding']);
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  await reply.send(content);
  return true;
}

function meta(name: string, content: string): string {
  return `<meta name="${escapeHtml(name)}" content="${escapeHtml(content)}" />`;
}

function notBuilt(title: string): string {
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><title>${escapeHtml(title)}</title></head>
  <body>
    <main>
      <h1>The page is not built</h1>
      <p>Run <code>npm run build</code> in the folder of the package, then load this page again.</p>
    </main>
  </body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
