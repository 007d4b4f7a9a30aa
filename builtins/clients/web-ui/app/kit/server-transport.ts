// Selects the transport from the page to its server: direct, or that of a built-in's `phone/way.ts` if the served page names one.

export interface ServerTransport {
  /** Token of the user. */
  readonly token: string;
  /** Fetches all paths below `/api/`. */
  readonly fetch: typeof fetch;
  /** Prefix of the client's stored data, separate per transport. */
  readonly keptUnder: string;
}

const ways = import.meta.glob<{ openWay(): Promise<ServerTransport> }>('../../../../*/*/phone/way.ts');

const nameOf = (): string | undefined => document.querySelector<HTMLMetaElement>('meta[name="server-way"]')?.content;

/** Returns whether the site that serves the page differs from its server. */
export const isServerRemote = (): boolean => nameOf() !== undefined;

let opened: Promise<ServerTransport | undefined> | undefined;

/** Opens the transport once; `undefined` if the page uses its own site, or the transport is unknown. */
export function serverTransport(): Promise<ServerTransport | undefined> {
  return (opened ??= openWay());
}

async function openWay(): Promise<ServerTransport | undefined> {
  const name = nameOf();
  const load = name === undefined ? undefined : Object.entries(ways).find(([path]) => path.endsWith(`/${name}/phone/way.ts`))?.[1];
  return load ? (await load()).openWay() : undefined;
}

/** Returns `localStorage` with a prefix for each name. */
export function keptUnder(beginning: string): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  return {
    getItem: (name) => localStorage.getItem(beginning + name),
    setItem: (name, value) => localStorage.setItem(beginning + name, value),
    removeItem: (name) => localStorage.removeItem(beginning + name),
  };
}
