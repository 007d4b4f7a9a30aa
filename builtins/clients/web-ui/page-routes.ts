// Serves the page itself, its hashed assets, and the few files that browsers request at the root.
import type { KernelError } from 'agent-harness/kernel';
import type { FileReply, Route, RouteContext } from 'agent-harness/plugins/http';
import type { PageMetas } from './page-metas.ts';
import type { PageServices } from './serve-page.ts';

export interface PageParts {
  readonly services: PageServices;
  readonly metas: Pick<PageMetas, 'read'>;
  /** Returns the folder of the built page; called at the first request. */
  readonly findFolder: () => string | Promise<string>;
  readonly makeError: (reason: 'NOT_FOUND' | 'NOT_BUILT', details?: Readonly<Record<string, unknown>>) => KernelError;
}

const open = { tag: 'page', schema: {}, auth: 'open' } as const;

export function createPageRoutes({ services, metas, findFolder, makeError }: PageParts): Route[] {
  let loading: ReturnType<typeof load> | undefined;

  async function load() {
    const [{ makeIndex }, { pageFile }, { createSite }] = await Promise.all([import('./serve-page.ts'), import('#lib/page-files'), import('#lib/site')]);
    return { makeIndex, pageFile, site: createSite(await findFolder()) };
  }

  async function serve(context: RouteContext, place: 'root' | 'assets'): Promise<FileReply> {
    const { pageFile, site } = await (loading ??= load());
    const { name = '' } = context.params as { readonly name?: string };
    const file = await pageFile(site, place, name, context.headers['accept-encoding']);
    if (!file) throw makeError('NOT_FOUND', { name });
    return file;
  }

  return [
    {
      ...open,
      key: 'GET /',
      summary: 'Returns the web page; for authorised visitors, it contains the token.',
      mediaType: 'text/html',
      async handle(context) {
        const { makeIndex, site } = await (loading ??= load());
        const index = await makeIndex(context, site, services, metas);
        if (!index) throw makeError('NOT_BUILT');
        return index;
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
      summary: 'Files that browsers request in addition to the page: its manifest, icons, service worker and offline page.',
      mediaType: '*/*',
      handle: (context) => serve(context, 'root'),
    },
  ];
}
