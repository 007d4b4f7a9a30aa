// The server to talk to: the one that runs for this home folder, or one of our own for as long as it is needed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CliParts } from './cli-parts.ts';
import { createClient, type Client } from './http-client.ts';

export interface RunningServer {
  readonly pid: number;
  readonly url: string;
  readonly client: Client;
}

interface ServerFile {
  readonly pid?: unknown;
  readonly port?: unknown;
  readonly host?: unknown;
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
export async function findServer(parts: CliParts): Promise<RunningServer | undefined> {
  const { product, webToken } = parts.services;
  const file = await readServerFile(join(product.home, 'server.json'));
  if (!file || !isAlive(file.pid)) return undefined;
  const { url } = file;
  const client = createClient(parts, url, await webToken.current());
  try {
    await client.call('GET', '/api/status');
    return { pid: file.pid, url, client };
  } catch (fault) {
    if (hasStatus(fault, 401)) throw parts.error('TOKEN_REFUSED', { url, home: product.home });
    // It is there but has trouble of its own, which is no reason to start a second one on the same files.
    if (hasStatus(fault)) return { pid: file.pid, url, client };
    return undefined;
  }
}

async function readServerFile(path: string): Promise<{ pid: number; url: string } | undefined> {
  try {
    const { pid, port, host } = JSON.parse(await readFile(path, 'utf8')) as ServerFile;
    if (!Number.isSafeInteger(pid) || !Number.isSafeInteger(port)) return undefined;
    return { pid: pid as number, url: `http://${reachable(host)}:${port as number}` };
  } catch {
    return undefined; // no server, or one that is writing the file right now
  }
}

/** A server that listens everywhere is reached on the loopback address. */
function reachable(host: unknown): string {
  if (typeof host !== 'string' || host === '' || host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** A process of another user with that number is not our server. */
function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

function hasStatus(fault: unknown, status?: number): boolean {
  if (!(fault instanceof Error) || !('status' in fault) || typeof fault.status !== 'number') return false;
  return status === undefined || fault.status === status;
}
