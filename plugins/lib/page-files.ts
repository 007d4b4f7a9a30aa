// Builds the replies that serve a built web page, with its placeholders filled in, and its files.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pageHeaders, programNonce, sealedHeaders, type PagePolicy } from './page-policy.ts';
import { escapeHtml } from './text.ts';
import type { Place, Site } from './site.ts';

/** A reply with a file of the page. */
export interface PageFile {
  readonly content: Buffer;
  readonly type: string;
  readonly tag?: string;
  readonly encoding?: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface IndexParts {
  readonly title: string;
  /** Contents of meta tags by name. */
  readonly metas?: Readonly<Record<string, string>>;
  readonly formTargets?: PagePolicy['formTargets'];
  readonly runsBlobs?: boolean;
}

/** Returns the page with its placeholders filled; `undefined` if the page was not built. */
export async function pageIndex(site: Site, { title, metas = {}, formTargets, runsBlobs = false }: IndexParts): Promise<PageFile | undefined> {
  const template = await site.template();
  if (template === undefined) return undefined;
  const nonce = randomBytes(16).toString('base64');
  const tags = Object.entries({ 'csp-nonce': nonce, ...metas }).map(([name, content]) => meta(name, content));
  const html = template.replaceAll('{{title}}', () => escapeHtml(title)).replace('<!-- metas -->', () => tags.join('\n    '));
  return { content: Buffer.from(html), type: 'text/html; charset=utf-8', headers: pageHeaders({ nonce, runsBlobs, ...(formTargets ? { formTargets } : {}) }) };
}

/** Returns a file of the page; `undefined` for files that the build did not write. @param accepted value of the `Accept-Encoding` header */
export async function pageFile(site: Site, place: Place, name: string, accepted: string | readonly string[] | undefined): Promise<PageFile | undefined> {
  const file = await site.find(place, name);
  if (!file) return undefined;
  const { content, encoding } = await file.encoded(accepted);
  return {
    content,
    type: file.type,
    tag: encoding === undefined ? file.tag : `${file.tag}-${encoding}`,
    ...(encoding === undefined ? {} : { encoding }),
    // The name of an asset contains a content hash.
    headers: {
      ...(isSealed(place, name) ? sealedHeaders({ nonce: programNonce, hasHandlers: false }) : pageHeaders()),
      'cache-control': place === 'assets' ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'Origin, Accept-Encoding',
    },
  };
}

/** Returns whether a file is a sandboxed part of the page, which processes third-party content in a frame with an opaque origin. */
const isSealed = (place: Place, name: string): boolean => place === 'root' && /^sealed-[\w-]+\.html$/.test(name);

/**
 * Returns the folder of a built page in `dist` of the package, also when called from the sources. The folder does not exist if the page was not built.
 */
export function builtPage(from: string, name: string): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return join(folder, 'dist', name);
  }
  return join(from, name);
}

function meta(name: string, content: string): string {
  return `<meta name="${escapeHtml(name)}" content="${escapeHtml(content)}" />`;
}
