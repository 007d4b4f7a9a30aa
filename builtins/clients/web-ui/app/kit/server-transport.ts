// Selects the transport between the page and its server: direct, or the transport in a built-in's `phone/server-transport.ts` that the served page names.

export interface ServerTransport {
  /** Token of the user. */
  readonly token: string;
  /** Fetches all paths that begin with `/api/`. */
  readonly fetch: typeof fetch;
  /** Prefix of the keys under which the client stores data, different for each transport. */
  readonly keptUnder: string;
}

const transports = import.meta.glob<{ openServerTransport(): Promise<ServerTransport> }>('../../../../*/*/phone/server-transport.ts');

const nameOf = (): string | undefined => document.querySelector<HTMLMetaElement>('meta[name="server-way"]')?.content;

/** Returns whether the page was served by a site other than its server. */
export const isServerRemote = (): boolean => nameOf() !== undefined;

let opened: Promise<ServerTransport | undefined> | undefined;

/** Opens the transport once; `undefined` if the server serves the page itself. Rejects if this version of the page does not contain the transport. */
export function serverTransport(): Promise<ServerTransport | undefined> {
  return (opened ??= openServerTransport());
}

async function openServerTransport(): Promise<ServerTransport | undefined> {
  const name = nameOf();
  if (name === undefined) return undefined;
  const load = Object.entries(transports).find(([path]) => path.endsWith(`/${name}/phone/server-transport.ts`))?.[1];
  if (!load) throw new Error(`This page does not contain the transport “${name}” to its server. Update the server, then open the link again.`);
  return (await load()).openServerTransport();
}

/** Returns `localStorage` with a prefix before each key. */
export function keptUnder(beginning: string): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  return {
    getItem: (name) => localStorage.getItem(beginning + name),
    setItem: (name, value) => localStorage.setItem(beginning + name, value),
    removeItem: (name) => localStorage.removeItem(beginning + name),
  };
}
