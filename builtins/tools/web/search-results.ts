// Normalises the results of search services.
import { maxLine, stripHtml } from '#lib/html-text';
import { oneLine } from '#lib/text';
import { WebFault } from './web-fault.ts';

export interface SearchResult {
  readonly title: string;
  /** URL as the service returned it. */
  readonly address: string;
  readonly excerpt: string;
}

/** Locations of the result list in the responses of search services, and the names of its fields. */
const listPaths = [['results'], ['web', 'results'], ['items'], ['organic'], ['organic_results'], ['data']] as const;
const titleNames = ['title', 'name'] as const;
const addressNames = ['url', 'link', 'href'] as const;
const excerptNames = ['content', 'snippet', 'description', 'excerpt', 'text'] as const;

/** Parses a response. Throws a {@link WebFault} if the text is not JSON or contains no list of results. */
export function readJsonResults(text: string, host: string): SearchResult[] {
  const list = findList(parse(text, host));
  if (!list)
    throw new WebFault(`The search at ${host} returned JSON without a list of results.`, { hint: 'The user should check AGENT_WEB_SEARCH_URL_TEMPLATE.' });
  return list.map((row) => ({ title: textIn(row, titleNames), address: textIn(row, addressNames), excerpt: textIn(row, excerptNames) }));
}

function parse(text: string, host: string): unknown {
  try {
    return JSON.parse(text);
  } catch (fault) {
    throw new WebFault(`The search at ${host} did not return JSON.`, { hint: 'The user should check AGENT_WEB_SEARCH_URL_TEMPLATE.', cause: fault });
  }
}

function findList(answer: unknown): unknown[] | undefined {
  if (Array.isArray(answer)) return answer as unknown[];
  for (const path of listPaths) {
    let at: unknown = answer;
    for (const name of path) at = fieldOf(at, name);
    if (Array.isArray(at)) return at as unknown[];
  }
  return undefined;
}

function textIn(row: unknown, names: readonly string[]): string {
  for (const name of names) {
    const value = fieldOf(row, name);
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** Returns the result with plain text lines and the direct URL; `undefined` for advertisements and invalid links. */
export function tidyResult({ title, address, excerpt }: SearchResult, base: URL): SearchResult | undefined {
  if (!URL.canParse(address, base)) return undefined;
  const given = new URL(address, base);
  // DuckDuckGo's links are redirects that contain the URL; advertisements are not.
  const isOwn = /(^|\.)duckduckgo\.com$/.test(given.hostname);
  const carried = isOwn && given.pathname === '/l/' ? given.searchParams.get('uddg') : undefined;
  if (isOwn && !carried) return undefined;
  const target = carried ?? given.href;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  const plain = (text: string): string => oneLine(/[<&]/.test(text) ? stripHtml(text, base).text : text, maxLine);
  return { title: plain(title) || target, address: target, excerpt: plain(excerpt) };
}
