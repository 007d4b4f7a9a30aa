// Serves a built page that has one script and one style sheet, and connects only to its own server.
import type { PageFile } from './page-files.ts';

export interface PlainPageParts {
  /** Title of the product. */
  readonly title: () => string;
  /** Folder of the built page; determined on the first request. */
  readonly findFolder: () => string | Promise<string>;
}

export interface PlainPage {
  /** Returns the page with its placeholders filled in; `undefined` if the page was not built. */
  index(sockets?: string): Promise<PageFile | undefined>;
  /** Returns a file of the page; `undefined` for files that the build did not write. @param accepted value of the `Accept-Encoding` header */
  asset(name: string, accepted: string | readonly string[] | undefined): Promise<PageFile | undefined>;
}

export function createPlainPage({ title, findFolder }: PlainPageParts): PlainPage {
  let loading: ReturnType<typeof load> | undefined;

  async function load() {
    const [files, { createSite }] = await Promise.all([import('./page-files.ts'), import('./site.ts')]);
    return { ...files, site: createSite(await findFolder()) };
  }

  return {
    async index(sockets) {
      const { pageIndex, site } = await (loading ??= load());
      const index = await pageIndex(site, { title: title() });
      return index && { ...index, headers: { ...index.headers, 'content-security-policy': policy(sockets), 'cache-control': 'no-store' } };
    },
    async asset(name, accepted) {
      const { pageFile, site } = await (loading ??= load());
      return pageFile(site, 'assets', name, accepted);
    },
  };
}

/** Returns the content security policy, which allows only the page's own script, style sheet and server. */
function policy(sockets = ''): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${sockets}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
