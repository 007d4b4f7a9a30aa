// Builds the request of one call. Its address is always on the connection's server, whatever the arguments are.
import { textStart } from '#lib/text';
import { cookieText, headerText, pathText, queryText } from './serialize-parameter.ts';
import type { OperationPlan, OperationRow } from './table.ts';

export interface Address {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type Built<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

type Args = Readonly<Record<string, unknown>>;

/** Builds the address without credentials, for display. */
export function buildAddress(baseUrl: string, { path, method }: OperationRow, { parameters }: OperationPlan, args: Args): Built<Address> {
  const given = parameters.filter(({ argument }) => Object.hasOwn(args, argument) && args[argument] !== undefined);
  const filled = fillPath(path, given, args);
  if (!filled.ok) return filled;
  const url = joinPath(baseUrl, filled.value);
  if (!url) return { ok: false, error: `The path ${textStart(filled.value, 200)} is outside ${baseUrl}.` };
  const query = given.filter(({ place }) => place === 'query').map((plan) => queryText(plan, args[plan.argument]));
  const added = [url.search.slice(1), ...query].filter((part) => part !== '').join('&');
  url.search = added === '' ? '' : `?${added}`;

  const headers: Record<string, string> = { accept: method === 'head' ? '*/*' : 'application/json, */*;q=0.5' };
  for (const plan of given.filter(({ place }) => place === 'header')) headers[plan.name.toLowerCase()] = headerText(plan, args[plan.argument]);
  const cookies = given
    .filter(({ place }) => place === 'cookie')
    .map((plan) => cookieText(plan, args[plan.argument]))
    .filter((text) => text !== '');
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
  // Header fields may contain visible characters, spaces and tabs (RFC 9110, 5.5); other characters could end a field and start another.
  const broken = Object.entries(headers).find(([, value]) => /[^\t\x20-\x7e\x80-\xff]/.test(value));
  if (broken) return { ok: false, error: `Invalid value for header ${broken[0]}: line breaks and non-Latin-1 characters are not allowed.` };
  return { ok: true, value: { url: url.href, headers } };
}

function fillPath(path: string, given: OperationPlan['parameters'], args: Args): Built<string> {
  let missing: string | undefined;
  const filled = path.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const plan = given.find((one) => one.place === 'path' && one.name === name);
    const text = plan ? pathText(plan, args[plan.argument]) : '';
    if (text === '') missing ??= name;
    return text === '' ? whole : text;
  });
  if (missing !== undefined) return { ok: false, error: `The path needs a non-empty value for '${textStart(missing, 60)}'.` };
  const [plainPath = ''] = filled.split(/[?#]/, 1);
  if (plainPath.split('/').some(isDots)) return { ok: false, error: "A path segment cannot be '.' or '..'." };
  return { ok: true, value: filled };
}

function isDots(part: string): boolean {
  return /^(\.|%2e){1,2}$/i.test(part);
}

/** Joins base address and path; `undefined` if the result would be on another server or outside the base path. */
function joinPath(baseUrl: string, path: string): URL | undefined {
  // The class `URL` treats `\` as `/`, and drops tabs and line breaks.
  const text = baseUrl + path.replace(/[\\\s]/g, encodeURIComponent);
  if (!URL.canParse(text)) return undefined;
  const [url, base] = [new URL(text), new URL(baseUrl)];
  const isWithin = url.pathname.startsWith(base.pathname.replace(/\/+$/, '') + '/');
  if (url.origin !== base.origin || url.username !== '' || url.password !== '' || !isWithin) return undefined;
  url.hash = '';
  return url;
}

/** Adds credentials to the cookies of a request. */
export function withCookies(headers: Readonly<Record<string, string>>, pairs: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  if (pairs.length === 0) return headers;
  const own = headers['cookie'] === undefined ? [] : [headers['cookie']];
  return { ...headers, cookie: [...own, ...pairs.map(([name, value]) => `${name}=${value}`)].join('; ') };
}

/** Adds credentials to the query of a request. */
export function withQuery(url: string, pairs: readonly (readonly [string, string])[]): string {
  if (pairs.length === 0) return url;
  const signed = new URL(url);
  const added = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  signed.search = signed.search === '' ? `?${added}` : `${signed.search}&${added}`;
  return signed.href;
}
