// Finds the server of a home folder: a running one that accepts the folder's token, or a temporary one in this process.
import { setTimeout as delay } from 'node:timers/promises';

/** Access to the home folder. */
export interface ServerHome {
  readonly http: {
    /** Returns the server recorded in the home folder. */
    running(): Promise<{ readonly pid: number; readonly url: string } | undefined>;
    listen(options: { readonly port: number; readonly host: string }): Promise<{ readonly url: string }>;
    close(): Promise<void>;
  };
  readonly webToken: { current(): Promise<string> };
}

export interface FoundServer {
  readonly pid: number;
  readonly url: string;
  /** The token that the server accepts. */
  readonly token: string;
}

/** A server in this process that runs as long as clients use it. */
export interface OwnServer {
  readonly url: string;
  readonly token: string;
  /** Ends the server when no client uses it or the signal is aborted. */
  leave(signal: AbortSignal): Promise<void>;
}

const pollMs = 50;
/** Interval between searches for a restarted server, in milliseconds. */
const seekMs = 250;

/**
 * Returns the running server; `undefined` if none is running, or its address does not respond. A server that responds with an error is treated as running,
 * because a second server must not use the same files.
 * @param refused creates the error for a server that rejects the token of the home folder
 */
export async function findRunningServer(
  { http, webToken }: Pick<ServerHome, 'webToken'> & { readonly http: Pick<ServerHome['http'], 'running'> },
  refused: (url: string) => Error,
): Promise<FoundServer | undefined> {
  const running = await http.running();
  if (!running) return undefined;
  const token = await webToken.current();
  const status = await statusOf(running.url, token);
  if (status?.code === 401) throw refused(running.url);
  return status && { ...running, token };
}

/** Starts a server in this process. Rejects as `http.listen` does. */
export async function startOwnServer({ http, webToken }: ServerHome): Promise<OwnServer> {
  const { url } = await http.listen({ port: 0, host: '127.0.0.1' });
  const token = await webToken.current();
  return {
    url,
    token,
    async leave(signal) {
      // Waits while another client uses the server, because that client would lose its turn.
      while (!signal.aborted && (await statusOf(url, token))?.isUsed === true) await delay(pollMs, undefined, { signal }).catch(() => undefined);
      await http.close();
    },
  };
}

export interface ServerSeeker {
  /** Must be called after each change of the connection. */
  check(): void;
  close(): void;
}

/** Searches for the server while the connection is lost, because a restarted server may have another port. Starts none. */
export function createServerSeeker<Found>(parts: { find(): Promise<Found | undefined>; isLost(): boolean; take(found: Found): void }): ServerSeeker {
  let seeking: ReturnType<typeof setInterval> | undefined;
  const close = (): void => {
    clearInterval(seeking);
    seeking = undefined;
  };
  return {
    close,
    check() {
      if (!parts.isLost()) return close();
      seeking ??= setInterval(() => {
        parts.find().then(
          (found) => found && parts.isLost() && parts.take(found),
          () => undefined, // the next request reports the error
        );
      }, seekMs).unref();
    },
  };
}

async function statusOf(url: string, token: string): Promise<{ readonly code: number; readonly isUsed: boolean } | undefined> {
  try {
    const answer = await fetch(`${url}/api/status`, { headers: { authorization: `Bearer ${token}` } });
    const { busy, clients = 0 } = (await answer.json().catch(() => ({}))) as { busy?: boolean; clients?: number };
    return { code: answer.status, isUsed: busy === true || clients > 0 };
  } catch {
    return undefined;
  }
}
