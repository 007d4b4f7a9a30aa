// Serves the page of remotely paired devices: the standard page from this package, configured to use the relay.
import type { FileReply, Route } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';
import type { MakeError } from './relay-errors.ts';

export interface PhoneParts {
  readonly product: () => Product;
  /** Finds the folder of the built page; called on the first request. */
  readonly findFolder: () => string | Promise<string>;
  readonly makeError: MakeError;
}

/** Plugin that provides the transport of the page. */
const transportPlugin = 'pairing-outside';

export function phoneRoutes({ product, findFolder, makeError }: PhoneParts): Route[] {
  const open = { tag: 'page', schema: {}, auth: 'open' } as const;
  let loading: ReturnType<typeof load> | undefined;

  async function load() {
    const [files, { createSite }] = await Promise.all([import('#lib/page-files'), import('#lib/site')]);
    return { ...files, site: createSite(await findFolder()) };
  }

  return [
    {
      ...open,
      key: 'GET /phone/:code',
      summary: 'Serves the page for a paired device, which reaches its computer through the relay.',
      mediaType: 'text/html',
      async handle({ params, headers }): Promise<FileReply> {
        const { pageIndex, pageFile, site } = await (loading ??= load());
        const { code = '' } = params as { readonly code?: string };
        // Serves the files beside the page under the same relative addresses as in the build.
        const file = code.includes('.') ? await pageFile(site, 'root', code, headers['accept-encoding']) : undefined;
        if (file) return file;
        const { title, version } = product();
        // Plugins' panels arrive from the computer over the encrypted link, so this site serves none of their scripts.
        const index = await pageIndex(site, { title, metas: { 'server-way': transportPlugin, 'page-version': version }, runsBlobs: true });
        if (!index) throw makeError('NOT_BUILT');
        return { ...index, headers: { ...index.headers, 'cache-control': 'no-store' } };
      },
    },
    {
      ...open,
      key: 'GET /phone/assets/:name',
      summary: 'Serves a script, style sheet or font of the page for paired devices.',
      mediaType: '*/*',
      async handle({ params, headers }): Promise<FileReply> {
        const { pageFile, site } = await (loading ??= load());
        const { name = '' } = params as { readonly name?: string };
        const file = await pageFile(site, 'assets', name, headers['accept-encoding']);
        if (!file) throw makeError('NOT_FOUND', { name });
        return file;
      },
    },
  ];
}
