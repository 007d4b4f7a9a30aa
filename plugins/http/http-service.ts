// Implements the service `http`: starts the server, warms it up, and stops it in the reverse order.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disposable, KernelControl, KernelError, Logger } from 'agent-harness/kernel';
import { withLimit } from 'agent-harness/lib/async';
import { errorOf, messageOf, stackOf } from 'agent-harness/lib/errors';
import { isLoopback } from 'agent-harness/lib/hosts';
import { permits } from 'agent-harness/lib/permits';
import type { Http, HttpAddress, Listener } from 'agent-harness/plugins/http';
import type { LimitedPatterns } from 'agent-harness/plugins/patterns';
import type { Processes } from 'agent-harness/plugins/processes';
import type { Product, Storage } from 'agent-harness/plugins/storage';
import type { AuthenticationParts } from './authentication.ts';
import { hostsVariable } from './config.ts';
import type { Endpoint } from './endpoint.ts';
import type { MakeError } from './error-table.ts';
import type { Listeners } from './listeners.ts';
import { describeRoutes } from './openapi.ts';
import { urlOf, type OriginSettings } from './origin-policy.ts';
import type { ReplySections } from './reply-sections.ts';
import type { RouteTable, SocketTable } from './route-table.ts';
import type { HttpServer } from './server.ts';
import { minTokenLength, tokenFileName, type OwnedWebToken } from './web-token.ts';

export interface HttpParts {
  readonly settings: OriginSettings & { readonly attemptsPerMinute: number; readonly port: number; readonly bindHost: string; readonly webToken?: string };
  readonly product: Product;
  readonly storage: Storage;
  readonly routes: RouteTable;
  readonly sections: ReplySections;
  readonly runAs: KernelControl['runAs'];
  readonly sockets: SocketTable;
  readonly webToken: OwnedWebToken;
  readonly processes: Processes;
  readonly limitedPatterns: LimitedPatterns;
  readonly tokenSources: AuthenticationParts['tokenSources'];
  readonly clientAddresses: AuthenticationParts['clientAddresses'];
  readonly listeners: Listeners;
  /** Of the plugins of the product. */
  readonly readiness: Readiness;
  readonly thirdParty: Readiness;
  readonly log: Logger;
  readonly makeError: MakeError;
  /** The app works for as long as the answer is held. */
  readonly startApp: () => Promise<Disposable>;
  /** Its address answers. */
  readonly onListening: () => void;
  /** @param signal aborted when it stops */
  readonly onIdle: (signal: AbortSignal) => Promise<void>;
}

export function createHttp(parts: HttpParts): Http {
  const { product, storage, log, makeError } = parts;
  const noticePath = join(product.home, 'server.json');
  let loaded: Promise<HttpServer> | undefined;
  let running: { readonly endpoint: Endpoint; readonly server: HttpServer } | undefined;
  let working: Disposable | undefined;
  let starting: Promise<HttpAddress> | undefined;
  let stopping: Promise<void> | undefined;
  let stopWatching: (() => void) | undefined;
  let stopWarming: (() => void) | undefined;
  let warming: Promise<void> | undefined;

  async function start(host: string, port: number): Promise<HttpAddress> {
    await refuseUnprotected(host);
    // Loading takes longer than anything else here, so the rest goes on meanwhile.
    const loading = load();
    const making = parts.webToken.current();
    for (const early of [loading, making]) early.catch(() => undefined); // each is awaited later, and fails there
    try {
      working = await parts.startApp();
      const server = await loading;
      // Who reads that the server is ready finds the file of the token.
      await making;
      running = { server, endpoint: await server.open({ host, port }) };
    } catch (fault) {
      await working?.dispose();
      throw describeFault(fault, host, port);
    }
    const { endpoint, server } = running;
    await parts.listeners.start({ open: (listener) => openFurther(server, listener), shut: (one) => server.shut(one), onFault: reportListener });
    const stopped = new AbortController();
    const failed = (fault: unknown): void => void (stopped.signal.aborted || log.info(`the server was not warmed up: ${messageOf(fault)}`));
    const cancel = whenIdle(server, () => warmUp(stopped.signal).catch(failed));
    stopWarming = () => (cancel(), stopped.abort());
    await storage.writeJson(noticePath, { pid: process.pid, port: endpoint.address.port, host, startedAt: new Date().toISOString() });
    stopWatching = storage.watchFile(join(product.home, tokenFileName), () => void parts.webToken.reload().catch(logFault));
    parts.onListening();
    return endpoint.address;
  }

  async function openFurther(server: HttpServer, listener: Listener): Promise<Endpoint> {
    const { host, port } = listener;
    await refuseUnprotected(host);
    return server.open(listener).catch((fault: unknown) => {
      throw describeFault(fault, host, port);
    });
  }

  function reportListener(fault: unknown, listener: Listener): void {
    log.error(`a further listener failed: ${messageOf(fault)}`);
    listener.failed?.(errorOf(fault));
  }

  async function warmUp(signal: AbortSignal): Promise<void> {
    await parts.readiness.wait();
    await running?.server.warmUp();
    if (signal.aborted) return;
    warming = parts.onIdle(signal);
    await warming;
  }

  function load(): Promise<HttpServer> {
    loaded ??= loadServer().catch((fault: unknown) => {
      loaded = undefined;
      throw fault;
    });
    return loaded;
  }

  async function loadServer(): Promise<HttpServer> {
    const [{ createServer }, { createAuthentication }, { createOriginPolicy }] = await Promise.all([
      import('./server.ts'),
      import('./authentication.ts'),
      import('./origin-policy.ts'),
    ]);
    return createServer({
      ...parts,
      productName: product.name,
      hostsVariable: product.setBy?.[hostsVariable] ?? hostsVariable,
      createPolicy: (address) => createOriginPolicy(parts.settings, address, () => parts.routes.all()),
      authentication: createAuthentication({ productName: product.name, ...parts }),
      createRequestId: () => storage.createId('req'),
      waitUntilReady: () => parts.readiness.wait(),
      // Third-party plugins are loaded once the server listens.
      hasAllRoutes: () => parts.readiness.isSettled() && (running === undefined || parts.thirdParty.isSettled()),
      waitForAllRoutes: () => parts.readiness.wait().then(() => (running === undefined ? undefined : parts.thirdParty.wait())),
      explain: (fault) => storage.unwritable(fault),
      onFault: (fault, { requestId, route }) => log.error(`${route} failed: ${stackOf(fault)}`, { requestId }),
    });
  }

  function logFault(fault: unknown): void {
    log.error(`reading the web token again failed: ${stackOf(fault)}`);
  }

  async function refuseUnprotected(host: string): Promise<void> {
    if (isLoopback(host)) return;
    const sources = await Promise.all([...parts.tokenSources()].map(async (source) => source.isSetUp()));
    const { webToken } = parts.settings;
    if (!sources.includes(true)) throw makeError('BIND_REFUSED', { host });
    if (webToken !== undefined && webToken.length < minTokenLength) throw makeError('TOKEN_GUESSABLE', { host, least: minTokenLength });
    log.warn(`listening on ${host}: other machines can reach this server, and whoever has the token can use it`);
  }

  function describeFault(fault: unknown, host: string, port: number): KernelError {
    const { code, message = '' } = fault as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') return makeError('PORT_IN_USE', { port, host }, fault);
    return code?.includes('_ERR_') ? (fault as KernelError) : makeError('LISTEN_FAILED', { port, host, why: message }, fault);
  }

  async function stop(): Promise<void> {
    await starting?.catch(() => undefined);
    const wasRunning = running !== undefined;
    const ending = await loaded?.catch(() => undefined);
    stopWatching?.();
    stopWarming?.();
    // Whoever closes all this takes away what it works with.
    await warming?.catch(() => undefined);
    await ending?.drain();
    try {
      await parts.listeners.stop();
      if (wasRunning) await working?.dispose();
    } finally {
      await ending?.close();
      if (wasRunning) await storage.remove(noticePath);
      running = starting = loaded = undefined;
    }
  }

  return {
    async listen({ port = parts.settings.port, host = parts.settings.bindHost } = {}) {
      await stopping;
      starting ??= start(host, port).catch((fault: unknown) => {
        starting = undefined;
        throw fault;
      });
      return starting;
    },
    address: () => running?.endpoint.address,
    running: () => readNotice(noticePath),
    dispatch: async (request, { principal }) => (await load()).dispatch(request, principal),
    has: (key) => parts.routes.has(key),
    find: (command) => parts.routes.find(command),
    close: () =>
      (stopping ??= stop().finally(() => {
        stopping = undefined;
      })),
    permits,
    openapi: () => describeRoutes(parts.routes.all(), parts.sections.schemaOf, product),
    endStreams: () => running?.server.endStreams(),
    reviewStreams: async () => running?.server.reviewStreams(),
  };
}

/** Milliseconds; clients that were waiting for the address are served first. */
const momentMs = 250;

/** Runs `work` once, a moment after the start, when no request is being served. Contract: `work` never rejects. Returns a function that cancels it. */
function whenIdle(server: Pick<HttpServer, 'isIdle'>, work: () => Promise<void>): () => void {
  let timer = setTimeout(look, momentMs);
  function look(): void {
    if (server.isIdle()) void work();
    else timer = setTimeout(look, momentMs);
  }
  return () => clearTimeout(timer);
}

/** Reads `server.json` of a home folder: the address of its server. `undefined` if no server runs, or while the file is being written. */
export async function readNotice(path: string): ReturnType<Http['running']> {
  try {
    const { pid, port, host } = JSON.parse(await readFile(path, 'utf8')) as { pid?: unknown; port?: unknown; host?: unknown };
    if (!Number.isSafeInteger(pid) || !Number.isSafeInteger(port) || (pid as number) <= 0) return undefined;
    // Throws if there is no such process; a process of another user is not our server either.
    process.kill(pid as number, 0);
    return { pid: pid as number, url: urlOf(typeof host === 'string' && host !== '' ? host : '127.0.0.1', port as number) };
  } catch {
    return undefined;
  }
}

export interface Readiness {
  settle(): void;
  isSettled(): boolean;
  /** Rejects with `NOT_READY` after 10 s. */
  wait(): Promise<void>;
}

const readyWithinMs = 10_000;

/** Lets requests wait for plugins: those of the product, or all. */
export function createReadiness(makeError: MakeError): Readiness {
  let isReady = false;
  let resolveReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (resolveReady = resolve));
  return {
    settle() {
      isReady = true;
      resolveReady();
    },
    isSettled: () => isReady,
    async wait() {
      if (isReady) return;
      await withLimit(ready, readyWithinMs, () => {
        throw makeError('NOT_READY', { retryAfter: 1 });
      });
    },
  };
}
