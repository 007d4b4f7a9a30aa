// Removes the token from the address, to keep it out of the address bar and the history. Pure.

/** Query parameters that the server accepts. */
const names = ['authToken', 'token'];

export interface UrlToken {
  readonly token: string;
  /** The address without the token. */
  readonly address: string;
}

/** Returns the token of an address, and the address without it; `undefined` if it contains none. */
export function readUrlToken(href: string): UrlToken | undefined {
  const url = new URL(href);
  const token = names.map((name) => url.searchParams.get(name)).find((value) => value !== null && value !== '');
  if (!names.some((name) => url.searchParams.has(name))) return undefined;
  for (const name of names) url.searchParams.delete(name);
  return { token: token ?? '', address: `${url.pathname}${url.search}${url.hash}` };
}
