// The server of this home folder: the one that runs, or one of our own for as long as it is needed.
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerParts } from './server-parts.ts';

export interface ReachedServer {
  readonly url: string;
  readonly token: string;
  /** Ends a server of our own once nobody uses it, or the signal is aborted. */
  leave(signal: AbortSignal): Promise<void>;
}

const pollMs = 50;

/** Rejects with `MCP_SERVER_ERR_TOKEN_REFUSED` when one runs that does not know our token. */
export async function reachServer(parts: ServerParts): Promise<ReachedServer> {
  const { http, webToken, product } = parts.services;
  const token = await webToken.current();
  const url = (await http.running())?.url;
  const status = url === undefined ? 0 : await ask(url, token);
  if (status === 401) throw parts.makeError('TOKEN_REFUSED', { url, home: product.home });
  // One that answers with trouble of its own is there all the same.
  if (url !== undefined && status !== 0) return { url, token, leave: () => Promise.resolve() };
  const own = await http.listen({ port: 0, host: '127.0.0.1' });
  return {
    url: own.url,
    token,
    async leave(signal) {
      while (!signal.aborted && (await isUsed(own.url, token))) await delay(pollMs, undefined, { signal }).catch(() => undefined);
      await http.close();
    },
  };
}

/** 0 where nobody answers. */
async function ask(url: string, token: string): Promise<number> {
  try {
    const answer = await fetch(`${url}/api/status`, { headers: { authorization: `Bearer ${token}` } });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}

async function isUsed(url: string, token: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/api/status`, { headers: { authorization: `Bearer ${token}` } });
    const { busy, clients } = (await answer.json()) as { busy?: boolean; clients?: number };
    return busy === true || (clients ?? 0) > 0;
  } catch {
    return false;
  }
}
