// Serves the page of a remote viewer and the page of a paired device without authentication. Keys are only in URL fragments.
import { lazy } from '#lib/async';
import type { PageFile } from '#lib/page-files';
import { createPlainPage } from '#lib/plain-page';
import type { FileReply, Route } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';
import type { MakeError } from './relay-errors.ts';

export interface PageParts {
  readonly product: () => Pick<Product, 'title' | 'version'>;
  /** Finds the folder of a built page; called on the first request. */
  readonly findFolder: (page: 'cloud-guest' | 'web') => string | Promise<string>;
  readonly makeError: MakeError;
}

interface GuestPage {
  index(name: string, accepted: Accepted): Promise<PageFile | undefined>;
  asset(name: string, accepted: Accepted): Promise<PageFile | undefined>;
}
type Accepted = string | readonly string[] | undefined;

/** Plugin that provides the transport of a paired device's page. */
const transportPlugin = 'pairing-outside';

export function pageRoutes({ product, findFolder, makeError }: PageParts): Route[] {
  const viewer = createPlainPage({ title: () => product().title, findFolder: () => findFolder('cloud-guest') });
  const loadPhone = lazy(async () => {
    const [files, { createSite }] = await Promise.all([import('#lib/page-files'), import('#lib/site')]);
    return { ...files, site: createSite(await findFolder('web')) };
  });
  const phone: GuestPage = {
    async index(code, accepted) {
      const { pageIndex, pageFile, site } = await loadPhone();
      // Serves the files beside the page under the same relative addresses as in the build.
      const file = code.includes('.') ? await pageFile(site, 'root', code, accepted) : undefined;
      if (file) return file;
      const { title, version } = product();
      // Plugins' panels arrive from the computer over the encrypted link, so this site serves none of their scripts.
      const index = await pageIndex(site, { title, metas: { 'server-way': transportPlugin, 'page-version': version }, runsBlobs: true });
      return index && { ...index, headers: { ...index.headers, 'cache-control': 'no-store' } };
    },
    async asset(name, accepted) {
      const { pageFile, site } = await loadPhone();
      return pageFile(site, 'assets', name, accepted);
    },
  };

  const routesOf = (path: 'join' | 'phone', summaries: readonly [page: string, asset: string], page: GuestPage): Route[] => {
    const open = { tag: 'page', schema: {}, auth: 'open' } as const;
    return [
      {
        ...{ ...open, key: `GET /${path}/:code`, summary: summaries[0], mediaType: 'text/html' },
        async handle({ params, headers }): Promise<FileReply> {
          const { code = '' } = params as { readonly code?: string };
          const file = await page.index(code, headers['accept-encoding']);
          if (!file) throw makeError('NOT_BUILT');
          return file;
        },
      },
      {
        ...{ ...open, key: `GET /${path}/assets/:name`, summary: summaries[1], mediaType: '*/*' },
        async handle({ params, headers }): Promise<FileReply> {
          const { name = '' } = params as { readonly name?: string };
          const file = await page.asset(name, headers['accept-encoding']);
          if (!file) throw makeError('NOT_FOUND', { name });
          return file;
        },
      },
    ];
  };
  return [
    ...routesOf('join', ['Serves the page for guests of a remote session.', 'Serves the script or the style sheet of the page for guests.'], {
      ...viewer,
      index: () => viewer.index(),
    }),
    ...routesOf(
      'phone',
      [
        'Serves the page for a paired device, which reaches its computer through the relay.',
        'Serves a script, style sheet or font of the page for paired devices.',
      ],
      phone,
    ),
  ];
}
