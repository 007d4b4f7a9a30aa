// Finds the base URL of a model provider if the configured one lacks the version: `<base>/v1` if `<base>` does not have the request path.

import { shownAddress } from './hosts.ts';

/** Request paths of the wires, relative to the base URL. */
const wirePath = /\/(?:chat\/completions|messages|responses|models|embeddings|audio\/\w+)$/;
const versioned = /\/v\d+\w*(?:\/|$)/;
/** Status codes for a path that the server does not have. */
const isNotThere: ReadonlySet<number> = new Set([404, 405]);

export interface VersionPaths {
  /** Returns the URL for a request, with `/v1` if that worked for its base URL before. */
  addressOf(url: string): string;
  /**
   * Returns the reply of the current URL, or of the URL with `/v1` if only that exists, which is then used from now on. Rejects like `send`.
   * @param drop discards an unused reply
   */
  send<T extends { readonly status: number }>(url: string, send: (address: string) => Promise<T>, drop: (answer: T) => void): Promise<T>;
}

/** @param report called once for each base URL that needs `/v1` */
export function createVersionPaths(report: (message: string) => void): VersionPaths {
  const learned = new Set<string>();

  const split = (url: string): { readonly base: string; readonly path: string } | undefined => {
    const path = wirePath.exec(url)?.[0];
    const base = path === undefined ? '' : url.slice(0, -path.length);
    return path === undefined || !URL.canParse(base) || versioned.test(new URL(base).pathname) ? undefined : { base, path };
  };

  function addressOf(url: string): string {
    const parts = split(url);
    return parts && learned.has(parts.base) ? `${parts.base}/v1${parts.path}` : url;
  }

  return {
    addressOf,
    async send(url, send, drop) {
      const address = addressOf(url);
      const first = await send(address);
      const parts = isNotThere.has(first.status) ? split(address) : undefined;
      if (!parts) return first;
      const { base, path } = parts;
      const second = await send(`${base}/v1${path}`).catch(() => undefined);
      if (!second || isNotThere.has(second.status)) {
        if (second) drop(second);
        return first;
      }
      drop(first);
      const shown = shownAddress(base).replace(/\/$/, '');
      if (!learned.has(base))
        report(`${shown} answers ${first.status} and ${shown}/v1 works, so ${shown}/v1 is used until the server ends. Add /v1 to the base URL.`);
      learned.add(base);
      return second;
    },
  };
}
