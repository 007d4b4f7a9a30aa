// How the page reaches its server: by itself, or by a way that a built-in brings in `phone/way.ts`, where whoever serves the page names it.

export interface ServerTransport {
  /** Of whoever uses the page. */
  readonly token: string;
  /** For everything below `/api/`. */
  readonly fetch: typeof fetch;
  /** What the client keeps stands under this, apart from that of other ways. */
  readonly keptUnder: string;
}

const ways = import.meta.glob<{ openWay(): Promise<ServerTransport> }>('../../../../*/*/phone/way.ts');

const nameOf = (): string | undefined => document.querySelector<HTMLMetaElement>('meta[name="server-way"]')?.content;

/** Whether the site that serves the page is not the server that it shows. */
export const isServerRemote = (): boolean => nameOf() !== undefined;

let opened: Promise<ServerTransport | undefined> | undefined;

/** Opened once; `undefined` where the page asks its own site, or does not know the way. */
export function serverTransport(): Promise<ServerTransport | undefined> {
  return (opened ??= openWay());
}

async function openWay(): Promise<ServerTransport | undefined> {
  const name = nameOf();
  const load = name === undefined ? undefined : Object.entries(ways).find(([path]) => path.endsWith(`/${name}/phone/way.ts`))?.[1];
  return load ? (await load()).openWay() : undefined;
}

/** `localStorage`, with a beginning before each name. */
export function keptUnder(beginning: string): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  return {
    getItem: (name) => localStorage.getItem(beginning + name),
    setItem: (name, value) => localStorage.setItem(beginning + name, value),
    removeItem: (name) => localStorage.removeItem(beginning + name),
  };
}
