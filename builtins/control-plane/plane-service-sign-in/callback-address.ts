// Validates the callback address that receives a license: it must belong to a service on the browser's own machine. Pure.

const hosts: readonly string[] = ['127.0.0.1', '[::1]', 'localhost'];
const callbackPath = '/api/hub/auth/callback';

export interface CallbackAddress {
  /** Address as given; its spelling is the one that a browser would produce. */
  readonly url: string;
  /** `127.0.0.1:3001` */
  readonly host: string;
  readonly origin: string;
}

/** Parses a callback address. Returns `undefined` for other addresses, and for spellings that a browser would change. */
export function callbackAddressOf(text: string): CallbackAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isOurs = url.protocol === 'http:' && hosts.includes(url.hostname) && url.pathname === callbackPath;
  // Excludes user names, queries, fragments, upper case, and other spellings of the same IP address.
  if (!isOurs || text !== `${url.origin}${callbackPath}`) return undefined;
  return { url: text, host: url.host, origin: url.origin };
}
