// Loads a part of the page from its own file on first use.
import { backoffMs } from '#lib/async';
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

const waits = { first: 500, longest: 8_000 };
const reloadEveryMs = 60_000;
/** Storage key for the time of the last reload. */
const key = 'reloaded-at';

/**
 * Loads a script of the page. Waits while the server is unreachable, because a browser does not retry a failed import. If the import fails because the server
 * was stopped or updated, reloads the page once, and rejects after that.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  await untilReachable();
  return load().catch(reloadOnce);
}

/** Like `lazy`, with {@link loadPart}. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the parameter type of `lazy`
export function lazyPart<Part extends ComponentType<any>>(load: () => Promise<Part>): LazyExoticComponent<Part> {
  return lazy(async () => ({ default: await loadPart(load) }));
}

/** Reloads the page at most once. Never resolves if the page is reloaded. */
async function reloadOnce(fault: unknown): Promise<never> {
  await untilReachable();
  const last = Number(sessionStorage.getItem(key) ?? 0);
  if (Date.now() - last < reloadEveryMs) throw fault;
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
  return new Promise(() => undefined);
}

/** Parts that load at the same time share one check. */
let check: Promise<void> | undefined;

async function untilReachable(): Promise<void> {
  check ??= checkUntilReachable().finally(() => (check = undefined));
  return check;
}

async function checkUntilReachable(): Promise<void> {
  for (let tries = 0; !(await isReachable()); tries++) {
    const waitMs = backoffMs(tries, waits);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** Returns whether the server responds with any status. The service worker does not cache this file. */
export function isReachable(): Promise<boolean> {
  return fetch('/manifest.webmanifest', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}
