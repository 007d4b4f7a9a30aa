// Determines the base address of a document's operations: the address that the user entered, or the document's first server.
import { isInsideName } from '#lib/hosts';
import { isPublicAddress, literalAddress } from '#lib/net';
import { normalizeSite, tryNormalize } from '#lib/setting-texts';
import { textStart } from '#lib/text';
import { isRecord } from '#lib/values';
import { listOf } from './convert-schema.ts';
import { fieldOf, type Json } from './table.ts';

export type BaseUrl =
  | { readonly ok: true; readonly url: string }
  /** `invalid`: the entered address is unusable. `private`: only the document names the address, and it is on this machine or in a private network. */
  | { readonly ok: false; readonly why: 'missing' | 'invalid' | 'private'; readonly url: string };

export function chooseBaseUrl(document: Json, given: string | undefined, specUrl: string | undefined): BaseUrl {
  if (given !== undefined) {
    const typed = /[{}]/.test(given) ? given : (tryNormalize(normalizeSite, given).text ?? given);
    const url = readBaseUrl(typed, undefined);
    return url ? { ok: true, url: withoutSlash(url) } : { ok: false, why: 'invalid', url: textStart(given, 200) };
  }
  const [server] = listOf(fieldOf(document, 'servers'));
  const named = serverUrl(server) ?? (specUrl === undefined ? '' : '/');
  const url = readBaseUrl(named, specUrl);
  if (!url) return { ok: false, why: 'missing', url: textStart(named, 200) };
  const isOwn = specUrl !== undefined && new URL(specUrl).origin === url.origin;
  return isOwn || !isInternal(url.hostname) ? { ok: true, url: withoutSlash(url) } : { ok: false, why: 'private', url: url.href };
}

/** Returns whether the host name looks internal. */
function isInternal(hostname: string): boolean {
  const address = literalAddress(hostname);
  return address === undefined ? isInsideName(hostname) : !isPublicAddress(address);
}

function serverUrl(server: unknown): string | undefined {
  const url = fieldOf(server, 'url');
  if (typeof url !== 'string') return undefined;
  const variables = fieldOf(server, 'variables');
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = isRecord(variables) ? fieldOf(fieldOf(variables, name), 'default') : undefined;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole;
  });
}

function readBaseUrl(text: string, base: string | undefined): URL | undefined {
  // Rejects an unfilled placeholder.
  if (/[{}]/.test(text) || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  const isPlain = (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '';
  if (!isPlain) return undefined;
  url.search = url.hash = '';
  return url;
}

function withoutSlash(url: URL): string {
  return url.href.replace(/\/+$/, '');
}
