// Finds the server of this home folder, or starts a temporary one.
import { findRunningServer, startOwnServer } from '#lib/running-server';
import type { CliParts } from './cli-parts.ts';
import { createClient, type Client } from './http-client.ts';

export interface FoundServer {
  readonly pid: number;
  readonly url: string;
  readonly client: Client;
}

/** Runs `work` with a client. Closes a server that was started for it once the server is unused or the signal is aborted. */
export async function withServer<T>(parts: CliParts, signal: AbortSignal, work: (client: Client, isOurs: boolean) => Promise<T>): Promise<T> {
  const running = await findServer(parts);
  if (running) return work(running.client, false);
  const own = await startOwnServer(parts.services);
  let isDone = false;
  try {
    const result = await work(createClient(parts, own.url, own.token), true);
    isDone = true;
    return result;
  } finally {
    // After a failure, the server is closed immediately.
    await own.leave(isDone ? signal : AbortSignal.abort());
  }
}

/** Returns the running server; `undefined` if there is none. Rejects with `CLI_ERR_TOKEN_REFUSED` if the server refuses the token. */
export async function findServer(parts: CliParts): Promise<FoundServer | undefined> {
  const { services } = parts;
  const found = await findRunningServer(services, (url) => parts.error('TOKEN_REFUSED', { url, home: services.product.home }));
  return found && { pid: found.pid, url: found.url, client: createClient(parts, found.url, found.token) };
}
