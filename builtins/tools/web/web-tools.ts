// Implements the tools `web_fetch` and `web_search`.
import { maxLine, stripHtml } from '#lib/html-text';
import { oneLine } from '#lib/text';
import type { RunTool, ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { decodeText, kindOf } from './content-kind.ts';
import { download } from './download.ts';
import { readAddress } from './read-address.ts';
import { readPage } from './read-page.ts';
import type { PageReply } from './request-page.ts';
import { searchWeb } from './search-web.ts';
import { showPage } from './show-page.ts';
import type { WebSettings } from './web-config.ts';
import type { PageCache } from './page-cache.ts';
import type { DocumentThreads } from './document-threads.ts';
import type { FetchArgs, SearchArgs } from './inputs.ts';

export interface WebPorts {
  /** Live values of the settings. */
  readonly settings: WebSettings;
  readonly pages: PageCache;
  readonly threads: DocumentThreads;
  /** Aborted when the plugin unloads. */
  readonly signal: AbortSignal;
}

export function createWebTools(ports: WebPorts): Readonly<Record<string, RunTool>> {
  const fetchPage = async (args: FetchArgs, context: ToolContext): Promise<ToolOutcome> => {
    const { settings, pages, threads } = ports;
    const url = readAddress(args.url);
    // The cache key includes the settings.
    const keyOf = (address: string): string => `${address} ${JSON.stringify({ ...settings, searchKey: '' })}`;
    const kept = pages.find(keyOf(url.href));
    if (kept) return showPage(kept, args.offset, args.maxChars);
    const signal = AbortSignal.any([context.signal, ports.signal]);
    const deadline = performance.now() + settings.totalWallMs;
    const reply = await download(url, { settings, signal, deadline, progress: context.progress });
    if (reply.status >= 400) return refusal(reply);
    const capMs = Math.max(0, Math.min(settings.articleMs, deadline - performance.now()));
    const page = await readPage(reply, { settings, threads, capMs, signal });
    pages.keep([keyOf(url.href), keyOf(page.url)], page);
    return showPage(page, args.offset, args.maxChars);
  };
  const search = async (args: SearchArgs, context: ToolContext): Promise<ToolOutcome> =>
    searchWeb(args, { settings: ports.settings, threads: ports.threads, signal: AbortSignal.any([context.signal, ports.signal]), progress: context.progress });
  return { web_fetch: fetchPage, web_search: search };
}

/** Returns the outcome for status 400 and above, with the beginning of the server's message. */
function refusal(reply: PageReply): ToolOutcome {
  const body = decodeText(reply.body.subarray(0, 20_000), reply.contentType);
  const words = oneLine(kindOf(reply.contentType) === 'html' ? stripHtml(body, reply.url).text : body, maxLine);
  return {
    ok: false,
    error: `${reply.url.href} returned status ${reply.status}.${words === '' ? '' : ` It says: ${words}`}`,
    hint: hintFor(reply.status),
    isUntrusted: true,
  };
}

function hintFor(status: number): string {
  if (status === 404 || status === 410) return 'The page does not exist. Check the URL, or search for it.';
  if (status === 401 || status === 403) return 'The site refuses access. Look for another source; do not retry the same URL.';
  if (status === 429) return 'The site wants fewer requests. Try later or another source.';
  return status >= 500 ? 'The site has a fault. Try later or another source.' : 'Check the address.';
}
