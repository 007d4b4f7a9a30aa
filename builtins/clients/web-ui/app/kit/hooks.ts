// Provides hooks that read the client's state and the current route.
import type { Client, OpenChat, Store } from 'agent-harness/client';
import { createContext, use, useSyncExternalStore } from 'react';

export const ClientContext = createContext<Client | undefined>(undefined);
/** The shown chat; `undefined` if there is none. */
export const ChatContext = createContext<OpenChat | undefined>(undefined);

export function useClient(): Client {
  const client = use(ClientContext);
  if (!client) throw new Error('a component that needs the client is outside of ClientContext');
  return client;
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** `#/chat/<id>`, `#/chat/<id>/<entry>`, `#/panel/<id>`, or a page: `#/settings`, `#/memory/inbox`. */
export interface Route {
  readonly page: string;
  readonly id?: string;
  /** Target within the page, such as an entry of a chat. */
  readonly part?: string;
  /** Parameters after a `?`: `#/view/usage?days=30`. */
  readonly query?: Readonly<Record<string, string>>;
}

export function readRoute(hash: string): Route {
  const [path = '', ...behind] = hash.replace(/^#\/?/, '').split('?');
  const [page = '', id = '', part = ''] = path.split('/').map(decode);
  const query = behind.length === 0 ? {} : { query: Object.fromEntries(new URLSearchParams(behind.join('?'))) };
  return { page: page === '' ? 'chat' : page, ...(id === '' ? {} : { id }), ...(part === '' ? {} : { part }), ...query };
}

/** Decodes a part of the address. A typed address may contain a literal `%`. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the address of a route, for `href`. */
export function hashOf({ page, id, part, query = {} }: Route): string {
  const path = `#/${[page, id, part].flatMap((one) => (one === undefined ? [] : encodeURIComponent(one))).join('/')}`;
  return Object.keys(query).length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`;
}

export function goTo(route: Route): void {
  location.hash = hashOf(route);
}

/** Like {@link goTo}, but without a history entry, for navigation by the page itself. */
export function redirectTo(route: Route): void {
  location.replace(hashOf(route));
}

const readHash = (): string => location.hash;

function watchHash(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

export function useRoute(): Route {
  return readRoute(useSyncExternalStore(watchHash, readHash));
}
