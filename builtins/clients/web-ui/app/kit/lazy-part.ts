// A part of the page that comes in a file of its own on first use.
import { backoffMs } from 'agent-harness/lib/async';
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

const waits = { first: 500, longest: 8_000 };
const reloadEveryMs = 60_000;
/** Where the time of the last reload is kept. */
const key = 'reloaded-at';

/**
 * What a file of the page brings. While the server is away the file is not asked for: a browser asks only once for what it could not fetch.
 * A file that fails even so (the server died over it, or is another version now) has the page loaded again, and fails only after that.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  await untilReachable();
  return load().catch(reloadOnce);
}

/** Like `lazy`, by {@link loadPart}. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what `lazy` itself takes
export function lazyPart<Part extends ComponentType<any>>(load: () => Promise<Part>): LazyExoticComponent<Part> {
  return lazy(async () => ({ default: await loadPart(load) }));
}

/** Never resolves where the page goes away. */
async function reloadOnce(fault: unknown): Promise<never> {
  await untilReachable();
  const last = Number(sessionStorage.getItem(key) ?? 0);
  if (Date.now() - last < reloadEveryMs) throw fault;
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
  return new Promise(() => undefined);
}

async function untilReachable(): Promise<void> {
  for (let tries = 0; !(await isReachable()); tries++) {
    const waitMs = backoffMs(tries, waits);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** Any answer will do. The service worker leaves this file to the server. */
export function isReachable(): Promise<boolean> {
  return fetch('/manifest.webmanifest', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}
