// Serves the page for guests of remote sessions to any client. The decryption key is only in the fragment of the page's address.
import { createPlainPage, type PlainPageParts } from '#lib/plain-page';
import type { FileReply, Route } from 'agent-harness/plugins/http';
import type { MakeError } from './relay-errors.ts';

export function pageRoutes({ makeError, ...parts }: PlainPageParts & { readonly makeError: MakeError }): Route[] {
  const open = { tag: 'page', schema: {}, auth: 'open' } as const;
  const page = createPlainPage(parts);
  return [
    {
      ...open,
      key: 'GET /join/:code',
      summary: 'Serves the page for guests of a remote session.',
      mediaType: 'text/html',
      async handle() {
        const index = await page.index();
        if (!index) throw makeError('NOT_BUILT');
        return index;
      },
    },
    {
      ...open,
      key: 'GET /join/assets/:name',
      summary: 'Serves the script or the style sheet of the page for guests.',
      mediaType: '*/*',
      async handle({ params, headers }): Promise<FileReply> {
        const { name = '' } = params as { readonly name?: string };
        const file = await page.asset(name, headers['accept-encoding']);
        if (!file) throw makeError('NOT_FOUND', { name });
        return file;
      },
    },
  ];
}
