// Serves the guest page and its two files to any client of the listener. They contain no data of the host.
import type { KernelError } from 'agent-harness/kernel';
import { createPlainPage, type PlainPageParts } from '#lib/plain-page';
import type { FileReply, Route } from 'agent-harness/plugins/http';

export interface GuestPageParts extends PlainPageParts {
  readonly makeError: (reason: 'PAGE_NOT_FOUND' | 'PAGE_NOT_BUILT', details?: Readonly<Record<string, unknown>>) => KernelError;
}

const open = { tag: 'remote', schema: {}, auth: 'open', permission: 'remote_guest.read' } as const;

export function createGuestPageRoutes({ makeError, ...parts }: GuestPageParts): Route[] {
  const page = createPlainPage(parts);
  return [
    {
      ...open,
      key: 'GET /remote/join',
      summary: 'The viewer page: requests the code of a remote session, then shows the window of the desktop app.',
      mediaType: 'text/html',
      async handle({ headers }) {
        const index = await page.index(socketsOf(headers.host));
        if (!index) throw makeError('PAGE_NOT_BUILT');
        return { ...index, headers: plain(index.headers) };
      },
    },
    {
      ...open,
      key: 'GET /remote/assets/:name',
      summary: 'Script or style sheet of the viewer page.',
      mediaType: '*/*',
      async handle({ params, headers }): Promise<FileReply> {
        const { name = '' } = params as { readonly name?: string };
        const file = await page.asset(name, headers['accept-encoding']);
        if (!file) throw makeError('PAGE_NOT_FOUND', { name });
        return { ...file, headers: plain(file.headers) };
      },
    },
  ];
}

/** Removes a header that browsers ignore over plain HTTP and report on the console. */
function plain({ 'cross-origin-opener-policy': _, ...headers }: Readonly<Record<string, string>>): Record<string, string> {
  return headers;
}

/** Returns the WebSocket source for the content security policy, because older browsers do not include same-origin WebSockets in `'self'`. */
function socketsOf(host = ''): string {
  return /^[\w.:[\]-]+$/.test(host) ? ` ws://${host} wss://${host}` : '';
}
