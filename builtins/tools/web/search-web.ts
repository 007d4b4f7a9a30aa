// Searches the web with the configured service, by default with DuckDuckGo's page.
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import { cleanHtml } from './clean-html.ts';
import { decodeText, kindOf, sniff } from './content-kind.ts';
import type { DocumentThreads } from './document-threads.ts';
import { download, type Downloaded } from './download.ts';
import { readAddress } from './read-address.ts';
import { readJsonResults, type SearchResult, tidyResult } from './search-results.ts';
import type { WebSettings } from './web-config.ts';
import { WebFault } from './web-fault.ts';
import type { SearchArgs } from './inputs.ts';

export interface SearchPlace {
  readonly settings: WebSettings;
  readonly threads: DocumentThreads;
  readonly signal: AbortSignal;
  progress(note: string): void;
}

const duckDuckGo = 'https://html.duckduckgo.com/html/?q={query}';
const defaultLimit = 8;
const maxResultsHtml = 400_000;
const hint = 'The user can set AGENT_WEB_SEARCH_URL_TEMPLATE to a search service. Or read a known page with web_fetch.';

/** Searches. Rejects with a {@link WebFault}. */
export async function searchWeb({ query, limit = defaultLimit }: SearchArgs, place: SearchPlace): Promise<ToolOutcome> {
  const { settings, signal, progress } = place;
  const template = settings.searchTemplate || duckDuckGo;
  const url = readAddress(template.replace('{query}', () => encodeURIComponent(query)));
  const isOwn = settings.searchTemplate !== '';
  const deadline = performance.now() + settings.totalWallMs;
  const reply = await download(url, {
    settings,
    signal,
    deadline,
    progress,
    accept: 'application/json,text/html;q=0.9',
    // The user configured this service, which may be local. Only its host and port are allowed, even after redirects.
    ...(isOwn ? { ownHosts: hostWithPort(url) } : {}),
    ...(isOwn && settings.searchKey !== '' ? { authorization: `Bearer ${settings.searchKey}` } : {}),
  });
  if (reply.status >= 400) throw new WebFault(`The search at ${url.host} returned status ${reply.status}.`, { hint });
  const capMs = Math.max(0, Math.min(settings.articleMs, deadline - performance.now()));
  const results = (await readResults(reply, capMs, place)).flatMap((result) => tidyResult(result, reply.url) ?? []).slice(0, limit);
  return results.length === 0 ? nothingFound(reply, query) : { ok: true, output: showResults(query, url.host, results), isUntrusted: true };
}

function hostWithPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
}

async function readResults(reply: Downloaded, capMs: number, { threads, signal }: SearchPlace): Promise<readonly SearchResult[]> {
  const text = decodeText(reply.body, reply.contentType);
  const declared = kindOf(reply.contentType);
  if ((declared === 'unknown' ? sniff(reply.body) : declared) !== 'html') return readJsonResults(text, reply.url.host);
  const { html } = cleanHtml(text, maxResultsHtml);
  const { end, found } = await threads.takeApart({ kind: 'results', html }, capMs, signal);
  if (end !== 'whole' && found.length === 0) throw new WebFault(`The results of ${reply.url.host} could not be read.`, { hint });
  return found.filter((message) => message.kind === 'result');
}

function nothingFound(reply: Downloaded, query: string): ToolOutcome {
  // A bot protection page may also have status 200; an empty result list would hide the refusal.
  const isGate = kindOf(reply.contentType) === 'html' && !/no results/i.test(decodeText(reply.body, reply.contentType));
  if (isGate) throw new WebFault(`The search at ${reply.url.host} returned a page without results; it may block bots.`, { hint });
  return { ok: true, output: `No results for: ${query}`, isUntrusted: true };
}

function showResults(query: string, host: string, results: readonly Required<SearchResult>[]): string {
  const rows = results.map(({ title, address, excerpt }, index) => `${index + 1}. ${title}\n   ${address}${excerpt === '' ? '' : `\n   ${excerpt}`}`);
  return `Results of ${host} for: ${query}\n\n${rows.join('\n\n')}`;
}
