// Manages the token session of managed inference: shares one fetch between callers, renews the session before it expires, and drops refused sessions.
import type { KernelError } from 'agent-harness/kernel';
import type { ControlPlane, HubSite } from 'agent-harness/builtins/account/hub';
import { messageOf } from '#lib/errors';
import { isLoopback } from '#lib/hosts';
import { isRecord } from '#lib/values';

export interface InferenceSession {
  readonly token: string;
  readonly baseURL: string;
  /** Unix timestamp in milliseconds. */
  readonly expiresAt: number;
  /** Omitted if unknown. */
  readonly models?: readonly string[];
}

export interface SessionRefresher {
  /** Resolves with a session that is valid for at least two minutes, if the control plane allows it. Rejects with `UNREACHABLE`. */
  get(): Promise<InferenceSession>;
  /** Returns the current session; `undefined` if none was fetched. */
  current(): InferenceSession | undefined;
  /** Drops the session; the next call fetches another. @param token drops the session only if it has this token */
  drop(token?: string): void;
  /** Returns whether a fetch failed so recently that a retry is not worthwhile. */
  isCoolingDown(): boolean;
}

export interface SessionRefresherParts {
  readonly controlPlane: Pick<ControlPlane, 'request'>;
  readonly hubSite: Pick<HubSite, 'controlPlane'>;
  /** Read on every use. */
  readonly settings: { readonly pinned: string };
  readonly makeError: (reason: 'UNREACHABLE', details: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
  readonly now?: () => number;
}

/** Remaining lifetime, in milliseconds, below which the session is renewed. */
const renewBelowMs = 120_000;
/** Time without retries after a failed fetch, in milliseconds. */
const cooldownMs = 10_000;

export function createSessionRefresher({ controlPlane, hubSite, settings, makeError, now = Date.now }: SessionRefresherParts): SessionRefresher {
  let session: InferenceSession | undefined;
  let fetching: Promise<InferenceSession> | undefined;
  let failedAt = -Infinity;
  /** Counts drops: a fetch that began before a drop is discarded. */
  let age = 0;

  const pinned = (): InferenceSession | undefined =>
    settings.pinned === '' ? undefined : { token: settings.pinned, baseURL: `${hubSite.controlPlane()}/api/inference/v1`, expiresAt: Infinity };

  async function fetchSession(): Promise<InferenceSession> {
    const { body } = await controlPlane.request({ method: 'POST', path: '/api/inference/session' });
    const found = sessionIn(body);
    if (typeof found === 'string') throw new Error(found);
    return found;
  }

  function fetchOnce(): Promise<InferenceSession> {
    if (fetching) return fetching;
    const began = age;
    const mine = fetchSession()
      .then((found) => {
        if (began === age) session = found;
        return found;
      })
      .catch((fault: unknown) => {
        failedAt = now();
        throw makeError('UNREACHABLE', { why: messageOf(fault) }, fault);
      })
      .finally(() => {
        if (fetching === mine) fetching = undefined;
      });
    fetching = mine;
    return mine;
  }

  return {
    async get() {
      const fixed = pinned();
      if (fixed) return fixed;
      const known = session;
      if (known && known.expiresAt - now() > renewBelowMs) return known;
      try {
        return await fetchOnce();
      } catch (fault) {
        // A session that expires soon is better than none.
        if (known && known.expiresAt > now()) return known;
        throw fault;
      }
    },
    current: () => pinned() ?? session,
    drop(token) {
      if (token !== undefined && session?.token !== token) return;
      session = undefined;
      fetching = undefined;
      failedAt = -Infinity;
      age++;
    },
    isCoolingDown: () => now() - failedAt < cooldownMs,
  };
}

function sessionIn(body: unknown): InferenceSession | string {
  const { token, expiresAt, baseURL, models } = isRecord(body) ? body : {};
  const end = typeof expiresAt === 'string' ? Date.parse(expiresAt) : NaN;
  if (typeof token !== 'string' || typeof baseURL !== 'string' || Number.isNaN(end) || !URL.canParse(baseURL)) return 'the control plane returned no session.';
  const { protocol, hostname } = new URL(baseURL);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) return 'the control plane returned an address without TLS.';
  const offered = Array.isArray(models) ? models.filter((one): one is string => typeof one === 'string') : undefined;
  return { token, baseURL: baseURL.replace(/\/+$/, ''), expiresAt: end, ...(offered ? { models: offered } : {}) };
}
