// Downloads a page with fallbacks: retries, another user agent after a refusal, and finally a reader service.
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '#lib/async';
import { isListedHost } from '#lib/hosts';
import { isBotWall } from './bot-wall.ts';
import { decodeText } from './content-kind.ts';
import { createAgents } from './public-address.ts';
import { readAddress } from './read-address.ts';
import { requestPage, type PageReply, type PageRequest } from './request-page.ts';
import type { WebSettings } from './web-config.ts';
import { WebFault } from './web-fault.ts';

export interface DownloadWish {
  readonly settings: WebSettings;
  readonly signal: AbortSignal;
  /** Value of `performance.now()` at which the call must have ended. */
  readonly deadline: number;
  progress(note: string): void;
  readonly accept?: string;
  /** Maximum bytes of a file of any type; if omitted, a page is requested. */
  readonly wholeBytes?: number;
  /** Value of the Authorization header, which is sent only to the origin of the first URL. */
  readonly authorization?: string;
  /** Additional hosts that may be private, in the format of the setting. */
  readonly ownHosts?: string;
}

export interface Downloaded extends PageReply {
  /** Sentence that names the fallback that was used; omitted if none was used. */
  readonly fallback?: string;
}

const firstDelayMs = 500;
const acceptPage = 'text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.9,application/json;q=0.9,application/pdf;q=0.8,*/*;q=0.5';

/** Downloads a page. Resolves with the last reply, regardless of its status. Rejects with a {@link WebFault}, or the signal's reason. */
export async function download(url: URL, wish: DownloadWish): Promise<Downloaded> {
  const agents = createAgents();
  try {
    const { settings } = wish;
    const plain: PageRequest = {
      agents,
      mayBePrivate: (target) => isListedHost(target, `${settings.allowedHosts},${wish.ownHosts ?? ''}`),
      headers: {
        'user-agent': settings.userAgent,
        accept: wish.accept ?? acceptPage,
        'accept-language': settings.acceptLanguage,
        // Encodings that the client can decompress; zstd is not supported.
        'accept-encoding': 'gzip, deflate, br',
      },
      ...(wish.authorization === undefined ? {} : { authorization: wish.authorization }),
      ...(wish.wholeBytes === undefined ? {} : { wholeBytes: wish.wholeBytes }),
    };
    const reply = await requestPatiently(url, plain, wish);
    return isForbidden(reply) ? await retryRefused(reply, url, plain, wish) : reply;
  } finally {
    agents.destroy();
  }
}

/** Retries after status 403 and 401. */
async function retryRefused(refused: PageReply, url: URL, plain: PageRequest, wish: DownloadWish): Promise<Downloaded> {
  const { settings } = wish;
  if (settings.isRetriedWhenForbidden && isBotWall(decodeText(refused.body, refused.contentType))) {
    wish.progress(`${url.host} blocks bots; trying once more`);
    const headers = { ...plain.headers, 'user-agent': settings.alternateUserAgent, referer: 'https://www.google.com/', 'sec-fetch-site': 'cross-site' };
    const second = await unlessFault(requestInTime(url, { ...plain, headers }, wish));
    if (second && !isForbidden(second)) return second;
  }
  if (settings.fallbackTemplate === '' || wish.authorization !== undefined || wish.wholeBytes !== undefined) return refused;
  const reader = readAddress(settings.fallbackTemplate.replace('{url}', () => encodeURIComponent(url.href)));
  wish.progress(`reading ${url.host} via ${reader.host}`);
  const third = await unlessFault(requestPatiently(reader, plain, wish));
  return third && third.status < 400 ? { ...third, fallback: `The site refused (status ${refused.status}); the page was read via ${reader.host}.` } : refused;
}

const isForbidden = ({ status }: PageReply): boolean => status === 403 || status === 401;

/** Ignores the error of a fallback, because the first refusal is reported. */
async function unlessFault<T>(attempt: Promise<T>): Promise<T | undefined> {
  try {
    return await attempt;
  } catch (fault) {
    if (fault instanceof WebFault) return undefined;
    throw fault;
  }
}

/** Retries after status 429 or 5xx and after broken connections. */
async function requestPatiently(url: URL, request: PageRequest, wish: DownloadWish): Promise<PageReply> {
  for (let attempt = 0; ; attempt++) {
    const result = await requestInTime(url, request, wish).catch((fault: unknown) => {
      if (fault instanceof WebFault && fault.isTransient) return fault;
      throw fault;
    });
    const isFinal = !(result instanceof WebFault) && result.status !== 429 && result.status < 500;
    if (isFinal) return result;
    const delay = delayBefore(attempt, result instanceof WebFault ? null : result.retryAfter, wish.settings.retryMaxDelayMs);
    if (attempt >= wish.settings.retries || performance.now() + delay >= wish.deadline) {
      if (result instanceof WebFault) throw result;
      return result;
    }
    const reason = result instanceof WebFault ? 'the connection broke' : `status ${result.status}`;
    wish.progress(`${url.host}: ${reason}; next try in ${(delay / 1000).toFixed(1)} s`);
    await sleep(delay, undefined, { signal: wish.signal });
  }
}

/** Returns the backoff delay in milliseconds, or the server's `Retry-After` if that is longer; at most `maxMs`. */
function delayBefore(attempt: number, retryAfter: string | null, maxMs: number): number {
  const grown = backoffMs(attempt, { first: firstDelayMs, longest: maxMs });
  return Math.min(maxMs, Math.max(grown, waitAsked(retryAfter)));
}

/** Parses the header `Retry-After`, in seconds or as a date, to milliseconds. */
function waitAsked(header: string | null): number {
  if (header === null || header.trim() === '') return 0;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

/** Makes one attempt within its own time limit and that of the whole call. */
async function requestInTime(url: URL, request: PageRequest, wish: DownloadWish): Promise<PageReply> {
  const limit = Math.min(wish.settings.timeoutMs, wish.deadline - performance.now());
  const stop = new AbortController();
  const late = new WebFault(`${url.host} did not deliver the page within ${(Math.max(0, limit) / 1000).toFixed(0)} s.`, {
    hint: 'Try later or another source.',
    isTransient: true,
  });
  const timer = setTimeout(() => stop.abort(late), Math.max(0, limit));
  try {
    return await requestPage(url, request, AbortSignal.any([wish.signal, stop.signal]));
  } finally {
    clearTimeout(timer);
  }
}
