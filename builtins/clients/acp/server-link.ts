// Connects to the server of this home folder: a running one, or a new one that keeps running after this process ends.
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Client } from 'agent-harness/client';
import { createServerSeeker, findRunningServer, type FoundServer, type ServerSeeker } from '#lib/running-server';
import { textEnd } from '#lib/text';
import type { AcpParts } from './acp-parts.ts';

export interface ServerLink {
  /**
   * Returns the same client each time. Replaces a lost server with one at another address, or starts a new one. Rejects if none can be started; the next call
   * retries.
   */
  client(): Promise<Client>;
  /** Returns the address of the server. Call it only after a client exists. */
  origin(): string;
  /** Calls the listener when another server has replaced the previous one, whose in-memory state is lost. */
  onRenewed(listener: () => void): void;
  close(): void;
}

const pollMs = 25;
const patienceMs = 20_000;
/** Time limit, in milliseconds, for finding another process's server after our own server had to stop. */
const othersMs = 3_000;
/** Default time that an unused server keeps running, in seconds. */
const usualLinger = 60;

/** @param linger time that an unused server keeps running, in seconds */
export function createServerLink(parts: AcpParts, linger: number = usualLinger): ServerLink {
  const { webToken, product } = parts.services;
  const listeners = new Set<() => void>();
  let opened: Promise<Client> | undefined;
  let starting: Promise<FoundServer> | undefined;
  let at: FoundServer | undefined;
  let seeker: ServerSeeker | undefined;
  let isClosed = false;

  const find = (): Promise<FoundServer | undefined> =>
    findRunningServer(parts.services, (url) => parts.makeError('TOKEN_REFUSED', { url, home: product.home }));

  async function start(): Promise<FoundServer> {
    const server = startServer(linger);
    let end = performance.now() + patienceMs;
    let hasEnded = false;
    try {
      while (!isClosed && performance.now() < end) {
        const found = await find();
        if (found) return found;
        // Another editor may have started a server at the same time; only one server can use the home folder.
        if (server.hasEnded() && !hasEnded) end = performance.now() + othersMs;
        hasEnded = server.hasEnded();
        await delay(pollMs);
      }
    } finally {
      server.letGo();
    }
    throw parts.makeError('SERVER_FAILED', { why: server.said() || 'it does not respond' });
  }

  const findOrStart = async (): Promise<FoundServer> => (await find()) ?? (await (starting ??= start().finally(() => (starting = undefined))));

  async function open(): Promise<Client> {
    at = await findOrStart();
    // Nothing is rendered here, so changes are delivered immediately.
    const client = createClient({
      origin: () => at?.url ?? '',
      token: await webToken.current(),
      schedule: (work) => void setImmediate(work),
    });
    await client.start();
    seeker = createServerSeeker({ find, isLost: () => isLost(client) && !isClosed, take: (found) => take(client, found) });
    client.connection.subscribe(seeker.check);
    if (isClosed) client.close();
    return client;
  }

  const isLost = (client: Client): boolean => client.connection.get().rest === 'down' || client.connection.get().stream === 'lost';

  function take(client: Client, found: FoundServer): void {
    const isOther = found.pid !== at?.pid || found.url !== at.url;
    at = found;
    // The server responds, so the client continues.
    client.call('GET /api/status').catch(() => undefined);
    if (isOther) for (const listener of listeners) listener();
  }

  async function ready(client: Client): Promise<Client> {
    if (isLost(client)) take(client, await findOrStart());
    return client;
  }

  return {
    client: () =>
      (opened ??= open().catch((fault: unknown) => {
        opened = undefined;
        throw fault;
      })).then(ready),
    origin: () => at?.url ?? '',
    onRenewed: (listener) => void listeners.add(listener),
    close() {
      isClosed = true;
      seeker?.close();
      void opened?.then((client) => client.close()).catch(() => undefined);
    },
  };
}

interface StartedServer {
  hasEnded(): boolean;
  /** Returns the error output received so far. */
  said(): string;
  /** Detaches the process, which keeps running after this one ends. */
  letGo(): void;
}

/** Starts this program as a separate server process, which keeps running when its parent ends or is killed. */
function startServer(linger: number): StartedServer {
  const [program = ''] = process.argv.slice(1);
  const child = spawn(process.execPath, [program, 'serve', '--host', '127.0.0.1', '--port', '0', '--until-unused', String(linger)], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: process.cwd(),
  });
  let said = '';
  let hasEnded = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = textEnd(said + text, 2_000)));
  child.once('error', ({ message }) => {
    hasEnded = true;
    said ||= message;
  });
  child.once('exit', () => (hasEnded = true));
  child.unref();
  return {
    hasEnded: () => hasEnded,
    said: () => said.trim(),
    letGo: () => child.stderr.destroy(),
  };
}
