// The built page, with the token for those who may have it, and its files.
import { randomBytes } from 'node:crypto';
import type { FileReply, RouteContext, WebToken } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';
import { pageHeaders } from './page-policy.ts';
import type { Place, Site } from './site.ts';

type Visit = Pick<RouteContext, 'isLocal' | 'token'>;

/**
 * The user of this machine gets the token; who came with one gets just that one back, which the web token may outlive; others have
 * to pair or type one in.
 * `undefined` where nothing was built.
 */
export async function makeIndex(
  visit: Visit,
  site: Site,
  services: { readonly product: Product; readonly webToken: WebToken },
): Promise<FileReply | undefined> {
  const { product, webToken } = services;
  const template = await site.template();
  if (template === undefined) return undefined;
  const token = visit.isLocal ? await webToken.current() : visit.token;
  const nonce = randomBytes(16).toString('base64');
  const tags = [meta('csp-nonce', nonce), ...(token === undefined ? [] : [meta(`${product.name}-web-auth`, token)])].join('\n    ');
  const html = template.replaceAll('{{title}}', () => escapeHtml(product.title)).replace('<!-- token -->', () => tags);
  return { content: Buffer.from(html), type: 'text/html; charset=utf-8', headers: pageHeaders(nonce) };
}

/** `undefined` for whatever the build did not write. */
export async function findFile(headers: RouteContext['headers'], site: Site, place: Place, name: string): Promise<FileReply | undefined> {
  const file = await site.find(place, name);
  if (!file) return undefined;
  const { content, encoding } = await file.encoded(headers['accept-encoding']);
  return {
    content,
    type: file.type,
    tag: encoding === undefined ? file.tag : `${file.tag}-${encoding}`,
    ...(encoding === undefined ? {} : { encoding }),
    // The name of an asset changes with its content.
    headers: { ...pageHeaders(), 'cache-control': place === 'assets' ? 'public, max-age=31536000, immutable' : 'no-cache', vary: 'Origin, Accept-Encoding' },
  };
}

function meta(name: string, content: string): string {
  return `<meta name="${escapeHtml(name)}" content="${escapeHtml(content)}" />`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
