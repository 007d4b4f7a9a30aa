// Calls the routes of the control plane with their types. The browser sends the session cookie automatically.
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
    // The session has ended: redirects the user to the sign-in page, and back afterwards.
    if (outcome === 'refused' && !isSignInPage()) (onSessionEnd ?? goToSignIn)();
  },
});

export const { call, send } = requests;

let onSessionEnd: (() => void) | undefined;

/** Replaces the redirect with a callback, for pages with unsaved input. Returns a function that restores the redirect. */
export function whenSessionEnds(onEnd: () => void): () => void {
  onSessionEnd = onEnd;
  return () => {
    if (onSessionEnd === onEnd) onSessionEnd = undefined;
  };
}

const signInPages = ['/sign-in', '/sign-up', '/reset'];
const isSignInPage = (): boolean => signInPages.includes(location.pathname);

/** Redirects to the sign-in page, which later returns to this page. */
export function goToSignIn(): void {
  const here = location.pathname + location.search + location.hash;
  location.replace(here === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ next: here }).toString()}`);
}

/** Returns the page to open after sign-in. Accepts only addresses of this site, so that the author of a link cannot choose another site. */
export function nextAddress(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  const url = URL.canParse(next, location.origin) ? new URL(next, location.origin) : undefined;
  return url?.origin === location.origin && !signInPages.includes(url.pathname) ? url.pathname + url.search + url.hash : '/';
}

/** Redirects after a sign-out. */
export function leaveForSignIn(): void {
  onSessionEnd = () => undefined;
  location.assign('/sign-in');
}
