// Adds a missing version to the base URL of a model provider: uses `<base>/v1` if the request path does not exist at `<base>`.

import { shownAddress } from './hosts.ts';

/** Matches the request paths of the wire formats, relative to the base URL. */
const wirePath = /\/(?:chat\/completions|messages|responses|models|embeddings|audio\/\w+)$/;
const versioned = /\/v\d+\w*(?:\/|$)/;
/** Status codes with which servers reply to an unknown path. */
const isNotThere: ReadonlySet<number> = new Set([404, 405]);

export interface VersionPaths {
  /** Returns the URL of a request, with `/v1` if its base URL needs it. */
  addressOf(url: string): string;
  /** Sends a request to the current URL or, if its path does not exist there, to the URL with `/v1`, which is used from then on. Rejects as `send` does. */
  send<T extends { readonly status: number }>(url: string, send: (address: string) => Promise<T>, drop: (answer: T) => void): Promise<T>;
}

/** Creates the base URL corrector. @param report called once for each base URL that needs `/v1` */
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
        report(`${shown} returned status ${first.status}, but ${shown}/v1 works and is used until the server ends. Add /v1 to the base URL.`);
      learned.add(base);
      return second;
    },
  };
}
