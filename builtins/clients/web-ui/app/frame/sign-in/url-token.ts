// A token that came in the address: taken out of it, so that neither the address bar nor the history keeps it. Pure.

/** As the server takes it from a query. */
const names = ['authToken', 'token'];

export interface UrlToken {
  readonly token: string;
  /** The address without it. */
  readonly address: string;
}

/** `undefined` where the address carries none. */
export function readUrlToken(href: string): UrlToken | undefined {
  const url = new URL(href);
  const token = names.map((name) => url.searchParams.get(name)).find((value) => value !== null && value !== '');
  if (!names.some((name) => url.searchParams.has(name))) return undefined;
  for (const name of names) url.searchParams.delete(name);
  return { token: token ?? '', address: `${url.pathname}${url.search}${url.hash}` };
}
