// Serves the HTML document that all pages share under several addresses, and its assets.
import type { KernelError } from 'agent-harness/kernel';
import type { FileReply, Route, RouteContext } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';
import type { PageGuard, PageRules } from './contract.ts';

export interface PageParts {
  readonly product: () => Product;
  /** Finds the folder of the built pages; called on the first request. */
  readonly findFolder: () => string | Promise<string>;
  /** Conditions for showing pages. */
  readonly guards?: () => Iterable<PageGuard>;
  readonly makeError: (reason: 'NOT_FOUND' | 'NOT_BUILT', details?: Readonly<Record<string, unknown>>) => KernelError;
}

/** Addresses of the pages with their purposes. */
const pages = {
  '/': 'The dashboard of an organisation.',
  '/sign-up': 'Creates an account: the first one with the setup address, others with an invitation.',
  '/sign-in': 'Signs in with a password or single sign-on.',
  '/reset': 'Requests a password link by e-mail, and sets a new password with a link.',
  '/device': 'Confirms the sign-in of a service that shows a code.',
  '/connect/harness': 'Confirms the sign-in of a service on the same machine, and sends the license to it.',
} as const;

const open = { tag: 'page', schema: {}, auth: 'open' } as const;

export function createPageRoutes({ product, findFolder, guards = () => [], makeError }: PageParts): Route[] {
  let loading: ReturnType<typeof load> | undefined;

  async function load() {
    const [files, { createSite }] = await Promise.all([import('#lib/page-files'), import('#lib/site')]);
    return { ...files, site: createSite(await findFolder()) };
  }

  async function serveIndex(path: string, context: Pick<RouteContext, 'query' | 'principal'>): Promise<FileReply> {
    const rules = rulesFor(path, context);
    const formTargets = rules.flatMap((rule) => rule.formTargets ?? []);
    const { pageIndex, site } = await (loading ??= load());
    // Sends the page's origin as the referrer, because the recipient of a form checks it.
    const index = await pageIndex(site, { title: product().title, ...(formTargets.length > 0 ? { formTargets, metas: { referrer: 'origin' } } : {}) });
    if (!index) throw makeError('NOT_BUILT');
    return index;
  }

  /** Returns no rules for a refused page, which reports the refusal itself and cannot submit forms. */
  function rulesFor(path: string, context: Pick<RouteContext, 'query' | 'principal'>): readonly PageRules[] {
    try {
      return [...guards()].filter((guard) => guard.path === path).map((guard) => guard.check(context));
    } catch (fault) {
      if (typeof (fault as { readonly status?: unknown }).status !== 'number') throw fault;
      return [];
    }
  }

  const indexes = Object.entries(pages).map(([path, summary]): Route => ({
    ...open,
    key: `GET ${path as '/'}`,
    summary,
    mediaType: 'text/html',
    handle: (context) => serveIndex(path, context),
  }));
  const files = (['assets', 'root'] as const).map((place): Route => ({
    ...open,
    key: place === 'assets' ? 'GET /assets/:name' : 'GET /:name',
    summary: place === 'assets' ? 'A script or style sheet of the pages.' : 'An icon or the web app manifest of the pages.',
    mediaType: '*/*',
    async handle({ params, headers }) {
      const { pageFile, site } = await (loading ??= load());
      const { name = '' } = params as { readonly name?: string };
      const file = await pageFile(site, place, name, headers['accept-encoding']);
      if (!file) throw makeError('NOT_FOUND', { name });
      return file;
    },
  }));
  return [...indexes, ...files];
}
