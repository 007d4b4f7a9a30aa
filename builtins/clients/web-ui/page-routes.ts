// The routes of the page: itself, its hashed assets, and the few files that browsers look for at the root.
import type { KernelError } from 'agent-harness/kernel';
import type { Route, RouteContext, WebToken } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';

export interface PageParts {
  readonly services: { readonly product: Product; readonly webToken: WebToken };
  /** Of the built page; looked for at the first request. */
  readonly findFolder: () => string;
  readonly notFound: (name: string) => KernelError;
}

const open = { tag: 'page', schema: {}, auth: 'open', isRaw: true } as const;

export function createPageRoutes({ services, findFolder, notFound }: PageParts): Route[] {
  let loading: ReturnType<typeof load> | undefined;

  async function load() {
    const [{ serveIndex, serveFile }, { createSite }] = await Promise.all([import('./serve-page.ts'), import('./site.ts')]);
    return { serveIndex, serveFile, site: createSite(findFolder()) };
  }

  async function serve(context: RouteContext, place: 'root' | 'assets'): Promise<void> {
    const { serveFile, site } = await (loading ??= load());
    const { name = '' } = context.params as { readonly name?: string };
    if (!(await serveFile(context, site, place, name))) throw notFound(name);
  }

  return [
    {
      ...open,
      key: 'GET /',
      summary: 'The page for browsers; it carries the token for visitors who may have it.',
      mediaType: 'text/html',
      async handle(context) {
        const { serveIndex, site } = await (loading ??= load());
        await serveIndex(context, site, services);
      },
    },
    {
      ...open,
      key: 'GET /assets/:name',
      summary: 'A script, style sheet or font of the page.',
      mediaType: '*/*',
      handle: (context) => serve(context, 'assets'),
    },
    {
      ...open,
      key: 'GET /:name',
      summary: 'What browsers look for beside the page: its manifest, icons, service worker and offline page.',
      mediaType: '*/*',
      handle: (context) => serve(context, 'root'),
    },
  ];
}
