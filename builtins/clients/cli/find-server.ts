// The server to talk to: the one that runs for this home folder, or one of our own for as long as it is needed.
import { setTimeout as delay } from 'node:timers/promises';
import type { CliParts } from './cli-parts.ts';
import { createClient, type Client } from './http-client.ts';

export interface FoundServer {
  readonly pid: number;
  readonly url: string;
  readonly client: Client;
}

const pollMs = 50;

/** Runs `work` with a client; a server that was started for it is closed once nobody else uses it, or the signal is aborted. */
export async function withServer<T>(parts: CliParts, signal: AbortSignal, work: (client: Client, isOurs: boolean) => Promise<T>): Promise<T> {
  const running = await findServer(parts);
  if (running) return work(running.client, false);
  const { http, webToken } = parts.services;
  const { url } = await http.listen({ port: 0, host: '127.0.0.1' });
  try {
    const client = createClient(parts, url, await webToken.current());
    const result = await work(client, true);
    await waitForOthers(client, signal);
    return result;
  } finally {
    await http.close();
  }
}

/** A command that was started meanwhile may have found this server; it would lose its turn. */
async function waitForOthers(client: Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { busy, clients } = await client.call<{ busy: boolean; clients: number }>('GET', '/api/status');
    if (!busy && clients === 0) return;
    await delay(pollMs, undefined, { signal }).catch(() => undefined); // aborted: the loop looks at the signal itself
  }
}

/** `undefined` where none runs. Rejects with `CLI_ERR_TOKEN_REFUSED` when one runs that does not know our token. */
export async function findServer(parts: CliParts): Promise<FoundServer | undefined> {
  const { http, product, webToken } = parts.services;
  const running = await http.running();
  if (!running) return undefined;
  const { url } = running;
  const client = createClient(parts, url, await webToken.current());
  try {
    await client.call('GET', '/api/status');
    return { ...running, client };
  } catch (fault) {
    if (hasStatus(fault, 401)) throw parts.error('TOKEN_REFUSED', { url, home: product.home });
    // It is there but has trouble of its own, which is no reason to start a second one on the same files.
    if (hasStatus(fault)) return { ...running, client };
    return undefined;
  }
}

function hasStatus(fault: unknown, status?: number): boolean {
  if (!(fault instanceof Error) || !('status' in fault) || typeof fault.status !== 'number') return false;
  return status === undefined || fault.status === status;
}
