// Classifies the errors of model providers: error replies by HTTP status, error objects in a stream, and failed connections.
import { messageOf } from '#lib/errors';
import { shortestSecret } from '#lib/secrets';
import { oneLine } from '#lib/text';
import { jsonOf } from '#lib/values';
import { readOverflow } from './context-overflow.ts';
import type { ModelFault, ModelFaultKind } from './contract.ts';
import { kindWords, refusedParts, templateWords, throttleWords } from './provider-error-patterns.ts';

const maxMessageChars = 500;
const maxWordsChars = 4_000;

/**
 * Classifies an error reply. @param body text of the reply, possibly truncated @param retryAfter value of the `Retry-After` header @param now milliseconds
 * since 1970
 */
export function faultOfReply(status: number, body: string, retryAfter: string | null, now: number, secret?: string): ModelFault {
  const parsed = jsonOf(body);
  const error = errorIn(parsed);
  const said = sentenceIn(error) ?? sentenceIn(parsed) ?? (/^\s*</.test(body) ? '' : body);
  const words = wordsOf(error, said);
  const retryAfterMs = parseRetryAfter(retryAfter, now) ?? waitIn(said);
  return {
    ok: false,
    ...kindOf(kindOfReply(status, said, error), status, words, error),
    message: clean(said, secret) || `HTTP ${status}`,
    words: clean(words, secret, maxWordsChars),
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function kindOfReply(status: number, said: string, error: unknown): ModelFaultKind {
  if (isOutOfMoney(error)) return 'budget';
  if (isWrongKey(status, said)) return 'auth';
  if (status === 400 && throttleWords.test(said)) return 'rate_limit';
  // A chat template fails for every request of this form, and a rejected part stays rejected: neither fault is transient.
  const isOfForm = templateWords.test(said) || refusedParts.some(([, pattern]) => pattern.test(said));
  if ((status === 500 || status === 501) && isOfForm) return 'refused';
  return kindOfStatus(status);
}

/** Returns the full text of the provider's error, for pattern matching. */
function wordsOf(error: unknown, said: string): string {
  return [textOf(error, 'code'), textOf(error, 'type'), textOf(error, 'param'), said].filter((one) => one !== undefined).join(' ');
}

/** Classifies an error object in the middle of a reply. An unknown error is treated as transient. */
export function faultOfError(payload: unknown, secret?: string): ModelFault {
  const error = errorIn(payload) ?? payload;
  const status = numberOf(error, 'code') ?? numberOf(error, 'status');
  const words = `${textOf(error, 'type') ?? ''} ${textOf(error, 'code') ?? ''}`;
  const byWords = kindWords.find(([pattern]) => pattern.test(words))?.[1];
  const said = sentenceIn(error);
  return {
    ok: false,
    ...kindOf(byWords ?? (status === undefined ? 'transient' : kindOfStatus(status)), status, wordsOf(error, said ?? ''), error),
    message: clean(said ?? 'the provider reported an error without a message', secret),
    words: clean(wordsOf(error, said ?? ''), secret, maxWordsChars),
    ...(status === undefined ? {} : { status }),
  };
}

/** Returns the kind of a fault: `overflow` if the error text describes one, except for a fault that another change can fix. */
function kindOf(kind: ModelFaultKind, status: number | undefined, words: string, error: unknown): Pick<ModelFault, 'kind' | 'overflow'> {
  if (kind !== 'refused' && kind !== 'transient') return { kind };
  const overflow = readOverflow(status, words, error);
  return overflow ? { kind: 'overflow', overflow } : { kind };
}

/** Classifies a connection that failed or was lost. */
export function faultOfConnection(cause: unknown, secret?: string): ModelFault {
  const type = textOf(cause, 'type');
  if (type === 'no-redirect' || type === 'invalid-redirect')
    return { ok: false, kind: 'refused', message: 'the base URL redirects to another address; set AGENT_API_BASE_URL to the final address' };
  if (cause instanceof TypeError) return { ok: false, kind: 'refused', message: clean(cause.message, secret) };
  return { ok: false, kind: 'transient', message: clean(messageOf(cause), secret) };
}

/** Returns the fault kind of an HTTP status. */
export function kindOfStatus(status: number): ModelFaultKind {
  if (status === 429) return 'rate_limit';
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'budget';
  if (status === 408 || status === 409 || status === 425 || status >= 500) return 'transient';
  return 'refused';
}

/** Parses a `Retry-After` header (seconds or an HTTP date) into milliseconds from now. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.round(ms));
}

/** Parses the delay in an error message, for replies without the header. */
function waitIn(said: string): number | undefined {
  const [, count, unit = ''] = /(?:try again|retry)[^.]{0,20} in (\d+(?:\.\d+)?) ?(ms|s|sec|seconds?|m|min|minutes?)\b/i.exec(said) ?? [];
  if (count === undefined) return undefined;
  return Math.round(Number(count) * (unit === 'ms' ? 1 : unit.startsWith('m') ? 60_000 : 1_000));
}

/** Masks keys in text, because some providers repeat them in errors. */
function clean(text: string, secret?: string, longest = maxMessageChars): string {
  const masked = (secret && secret.length >= shortestSecret ? text.replaceAll(secret, '[key]') : text).replace(/\b(?:sk|xai|key)-[\w*.-]{8,}/g, '[key]');
  return oneLine(masked, longest);
}

/** Returns whether a 429 means that the account has no credit, for which a retry cannot help. */
function isOutOfMoney(error: unknown): boolean {
  return /insufficient_quota|billing/i.test(`${textOf(error, 'type') ?? ''} ${textOf(error, 'code') ?? ''}`);
}

/** Returns whether a request was rejected because of a wrong key; some providers report this with the status of an invalid request. */
const isWrongKey = (status: number, said: string): boolean =>
  status === 400 && /\b(?:invalid|incorrect|wrong) api[ _-]?key|api[ _-]?key (?:is )?(?:not valid|invalid)/i.test(said);

function errorIn(payload: unknown): unknown {
  const first: unknown = Array.isArray(payload) ? payload[0] : payload;
  return isObject(first) && 'error' in first && first['error'] !== null ? first['error'] : undefined;
}

/** Returns the message of an error. Routers return the upstream provider's error text in `metadata.raw`. */
function sentenceIn(error: unknown): string | undefined {
  if (typeof error === 'string') return error;
  if (!isObject(error)) return undefined;
  const message = sentenceOf(error['message']) ?? sentenceOf(error['detail']);
  const raw = textOf(error['metadata'], 'raw');
  return raw && message ? `${message}: ${raw}` : message;
}

/** Returns the message of an error value, or of a list of errors with one entry per field. */
function sentenceOf(value: unknown): string | undefined {
  return isObject(value) ? JSON.stringify(value) : typeof value === 'string' ? value : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const textOf = (value: unknown, key: string): string | undefined => (isObject(value) && typeof value[key] === 'string' ? value[key] : undefined);
const numberOf = (value: unknown, key: string): number | undefined => (isObject(value) && typeof value[key] === 'number' ? value[key] : undefined);
