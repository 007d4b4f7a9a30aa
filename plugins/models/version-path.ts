// Finds the base URL of a provider whose address was given without its version: `<base>/v1` where `<base>` answers 404.

/** Request paths of the wires, below the base URL. */
const wirePath = /\/(?:chat\/completions|messages|responses|models|embeddings|audio\/\w+)$/;
const versioned = /\/v\d+\w*(?:\/|$)/;

export interface VersionPaths {
  /** The address in use for a request: with `/v1` where that was found to work for its base URL. */
  addressOf(url: string): string;
  /** The address with `/v1` that is tried after a 404; `undefined` where the base URL has a version, or is no base URL of a wire. */
  alternativeOf(url: string): string | undefined;
  /** Uses `/v1` for that base URL from now on. */
  learn(url: string): void;
}

/** @param report is called once for each base URL that needs `/v1` */
export function createVersionPaths(report: (message: string) => void): VersionPaths {
  const learned = new Set<string>();
  const split = (url: string): { readonly base: string; readonly path: string } | undefined => {
    const path = wirePath.exec(url)?.[0];
    const base = path === undefined ? '' : url.slice(0, -path.length);
    return path === undefined || !URL.canParse(base) || versioned.test(new URL(base).pathname) ? undefined : { base, path };
  };
  const alternativeOf = (url: string): string | undefined => {
    const parts = split(url);
    return parts && `${parts.base}/v1${parts.path}`;
  };

  return {
    alternativeOf,
    addressOf: (url) => (learned.has(split(url)?.base ?? '') ? (alternativeOf(url) ?? url) : url),
    learn(url) {
      const base = split(url)?.base;
      if (base === undefined || learned.has(base)) return;
      learned.add(base);
      report(`${base} answers 404 and ${base}/v1 works, so ${base}/v1 is used until the server ends. Add /v1 to the base URL.`);
    },
  };
}
