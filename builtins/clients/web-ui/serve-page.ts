// The built page, with the token for those who may have it, and its files.
import { randomBytes } from 'node:crypto';
import type { KernelControl } from 'agent-harness/kernel';
import type { FileReply, RouteContext, WebToken } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';
import { pageHeaders } from './page-policy.ts';
import type { Place, Site } from './site.ts';

export interface PageServices {
  readonly product: Product;
  readonly webToken: WebToken;
  readonly kernel: Pick<KernelControl, 'report'>;
}

type Visit = Pick<RouteContext, 'isLocal' | 'token'>;

/**
 * The user of this machine gets the token; who came with one gets just that one back, which the web token may outlive; others read
 * which plugins let visitors in.
 * `undefined` where nothing was built.
 */
export async function makeIndex(visit: Visit, site: Site, services: PageServices): Promise<FileReply | undefined> {
  const { product, webToken, kernel } = services;
  const template = await site.template();
  if (template === undefined) return undefined;
  const token = visit.isLocal ? await webToken.current() : visit.token;
  const nonce = randomBytes(16).toString('base64');
  const entry = token === undefined ? meta('sign-in', letIn(kernel).join(' ')) : meta(`${product.name}-web-auth`, token);
  const tags = [meta('csp-nonce', nonce), entry].join('\n    ');
  const html = template.replaceAll('{{title}}', () => escapeHtml(product.title)).replace('<!-- token -->', () => tags);
  return { content: Buffer.from(html), type: 'text/html; charset=utf-8', headers: pageHeaders(nonce) };
}

/** The names of the plugins that say who somebody is by a token. */
function letIn(kernel: PageServices['kernel']): string[] {
  const { plugins } = kernel.report();
  return plugins.filter(({ state, adds }) => state === 'active' && adds.some((label) => label.startsWith('token_source'))).map(({ name }) => name);
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
