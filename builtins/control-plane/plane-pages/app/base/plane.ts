// Calls the control plane's routes with their types. The browser sends the session cookie automatically.
import { createRequests, type CallIn, type ReplyIn, type RequestBodyIn } from 'agent-harness/client';
import type { PlaneRoutes } from 'agent-harness/builtins/control-plane/plane-serve';
import type {} from './routes.ts';

export type PlaneRoute = keyof PlaneRoutes;
export type ReplyOf<K extends PlaneRoute> = ReplyIn<PlaneRoutes, K>;
export type BodyOf<K extends PlaneRoute> = RequestBodyIn<PlaneRoutes, K>;

const requests = createRequests<CallIn<PlaneRoutes>>({
  origin: location.origin,
  fetch: (...args) => globalThis.fetch(...args),
  token: () => undefined,
  onOutcome(outcome) {
    // The session ended, possibly elsewhere: the user is sent to the sign-in and returns to the same place.
    if (outcome === 'refused' && !isAtTheDoor()) (onSessionEnd ?? goToSignIn)();
  },
});

export const { call, send } = requests;

let onSessionEnd: (() => void) | undefined;

/** For a page with unsaved input: it is notified instead of left. Returns a function that undoes this. */
export function whenSessionEnds(tell: () => void): () => void {
  onSessionEnd = tell;
  return () => {
    if (onSessionEnd === tell) onSessionEnd = undefined;
  };
}

const signInPages = ['/sign-in', '/sign-up', '/reset'];
const isAtTheDoor = (): boolean => signInPages.includes(location.pathname);

/** Goes to the sign-in, which leads back here. */
export function goToSignIn(): void {
  const here = location.pathname + location.search + location.hash;
  location.replace(here === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ next: here }).toString()}`);
}

/** Returns the page to open after the sign-in. Only addresses of this site: a link's author must not choose another. */
export function nextAddress(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  const url = URL.canParse(next, location.origin) ? new URL(next, location.origin) : undefined;
  return url?.origin === location.origin && !signInPages.includes(url.pathname) ? url.pathname + url.search + url.hash : '/';
}

/** After a sign-out. */
export function leaveForSignIn(): void {
  onSessionEnd = () => undefined;
  location.assign('/sign-in');
}
