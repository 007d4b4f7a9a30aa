// Normalizes values of settings: base URLs, site URLs, keys, host lists. Error messages continue the sentence `<setting> …`. Also runs in browsers.
import { messageOf } from './errors.ts';
import { isLocalNetworkHost } from './hosts.ts';

/** Matches blanks, line breaks, quotes and invisible characters around a pasted value. */
const wrapping = /^[\s\u200b\u2060'"`‘’“”]+|[\s\u200b\u2060'"`‘’“”]+$/g;
/** Matches request paths that users often paste with the base URL. */
const endpointPath = /\/+(chat\/completions|messages|responses|embeddings|audio\/(transcriptions|speech))$/;

/**
 * Returns an http(s) URL without wrapping quotes and blanks, query, hash and trailing slashes; empty for empty text. Text without a scheme gets `http://` for
 * loopback and private hosts, otherwise `https://`. Throws if the text is not an http(s) URL.
 */
export function normalizeSite(text: string): string {
  const bare = text.replace(wrapping, '');
  if (bare === '') return '';
  const fault = (): Error => new Error('must be an http or https address, such as https://api.example.com/v1 or http://localhost:11434/v1.');
  if (/^\/|[\s\p{Cc}\p{Cf}\\]/u.test(bare) || /^[a-z]+:\/?(?!\/|\d)/i.test(bare)) throw fault();
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(bare);
  const url = parseUrl(hasScheme ? bare : `http://${bare}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') throw fault();
  if (!hasScheme && !isLocalNetworkHost(url.hostname)) return normalizeSite(`https://${bare}`);
  const credentials = url.username === '' ? '' : `${url.username}${url.password === '' ? '' : `:${url.password}`}@`;
  return `${url.protocol}//${credentials}${url.host}${url.pathname}`.replace(/\/+$/, '');
}

/** Works like {@link normalizeSite} for the base URL of a model provider, and removes a trailing request path such as `/chat/completions`. */
export function normalizeBaseUrl(text: string): string {
  return normalizeSite(text).replace(endpointPath, '').replace(/\/+$/, '');
}

/** Works like {@link normalizeSite} for the address of a proxy; without a scheme, it always adds `http://`. */
export function normalizeProxy(text: string): string {
  const bare = text.replace(wrapping, '');
  const { text: proxy } = tryNormalize(normalizeSite, bare === '' || bare.includes('://') ? bare : `http://${bare}`);
  if (proxy === undefined) throw new Error('must be the http or https address of a proxy, such as http://proxy.example.com:3128.');
  return proxy === '' ? '' : new URL('/', proxy).href.replace(/\/$/, '');
}

/** Returns a key without wrapping quotes and blanks and without `Bearer `. Throws at the first character that is invalid in an HTTP header. */
export function normalizeKey(text: string): string {
  const key = text
    .replace(wrapping, '')
    .replace(/^bearer\s+/i, '')
    .replace(wrapping, '');
  const fault = faultAt(key, key.search(/[^\x21-\x7e]/));
  if (fault !== undefined) throw new Error(`${fault} Copy the key again.`);
  return key;
}

/** Returns the value of an HTTP header, trimmed. Throws at the first invalid character. */
export function normalizeHeaderValue(text: string): string {
  const value = text.trim();
  const fault = faultAt(value, value.search(/[^\t\x20-\x7e]/));
  if (fault !== undefined) throw new Error(fault);
  return value;
}

function faultAt(text: string, index: number): string | undefined {
  if (index === -1) return undefined;
  const code = (text.codePointAt(index) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const position = [...text.slice(0, index)].length + 1;
  return `has the character U+${code} at position ${position}, which cannot be sent in a header.`;
}

/** Returns a comma-separated list of hosts (`name` or `name:port`) in the form of a URL's `host`. Throws if an entry is not a host. */
export function normalizeHosts(text: string): string {
  const entries = text.replace(wrapping, '').split(',').map((entry) => entry.trim()); // prettier-ignore
  return entries.filter((entry) => entry !== '').map(normalizeHost).join(','); // prettier-ignore
}

function normalizeHost(entry: string): string {
  const url = parseUrl(`http://${entry}`);
  if (!url || url.href !== `http://${url.host}/` || entry.includes('*'))
    throw new Error('must be a comma-separated list of host names, each with an optional port, such as localhost:8080,nas.local.');
  return entry.endsWith(':80') ? `${url.host}:80` : url.host; // a URL omits its default port, but a host without a port means all ports
}

/** Returns the normalized text, or the message of the error thrown by `normalize`. */
export function tryNormalize(normalize: (text: string) => string, text: string): { readonly text?: string; readonly fault?: string } {
  try {
    return { text: normalize(text) };
  } catch (fault) {
    return { fault: messageOf(fault) };
  }
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
