// Implements the service `http`: starts the server, warms it up, and stops it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disposable, Emitter, KernelError } from 'agent-harness/kernel';
import { lazy, withLimit } from '#lib/async';
import { messageOf, stackOf } from '#lib/errors';
import { isLoopback } from '#lib/hosts';
import { permits } from '#lib/permits';
import type { Http, HttpAddress, Listener } from 'agent-harness/plugins/http';
import type { Endpoint } from './endpoint.ts';
import type { MakeError } from './errors.ts';
import type { Listeners } from './listeners.ts';
import { describeRoutes } from './openapi.ts';
import { urlOf } from './origin-policy.ts';
import type { HttpParts, HttpServer } from './server.ts';
import { minTokenLength, tokenFileName } from './web-token.ts';

/** Time in milliseconds after startup during which requests for unknown paths wait for third-party plugins. */
const thirdPartyMs = 2_000;

export function createHttp(parts: HttpParts & { readonly listeners: Listeners }, emitter: Emitter): Http {
  const { settings, services, log, makeError } = parts;
  const { kernel, product, storage } = services;
  const noticePath = join(product.home, 'server.json');
  const readiness = createReadiness(makeError);
  const thirdParty = createReadiness(makeError);
  let load = lazy(loadServer);
  let running: { readonly endpoint: Endpoint; readonly server: HttpServer } | undefined;
  let working: Disposable | undefined;
  let starting: Promise<HttpAddress> | undefined;
  let stopping: Promise<void> | undefined;
  let stopWatching: (() => void) | undefined;
  let stopWarming: (() => void) | undefined;
  let warming: Promise<void> | undefined;

  async function start(host: string, port: number): Promise<HttpAddress> {
    await refuseUnprotected(host);
    // Loading starts first, because it takes the longest.
    const loading = load();
    const making = parts.webToken.current();
    for (const early of [loading, making]) early.catch(() => undefined); // each is awaited below
    try {
      working = await kernel.start();
      const server = await loading;
      // The token file must exist before the server reports that it is ready.
      await making;
      running = { server, endpoint: await server.open({ host, port }) };
    } catch (fault) {
      await working?.dispose();
      throw describeFault(fault, host, port);
    }
    const { endpoint, server } = running;
    await parts.listeners.start((listener) => openListener(server, listener));
    const stopped = new AbortController();
    const failed = (fault: unknown): void => void (stopped.signal.aborted || log.info(`the server was not warmed up: ${messageOf(fault)}`));
    const cancel = whenIdle(server, () => warmUp(stopped.signal).catch(failed));
    stopWarming = () => (cancel(), stopped.abort());
    await storage.writeJson(noticePath, { pid: process.pid, port: endpoint.address.port, host, startedAt: new Date().toISOString() });
    const reloadFailed = (fault: unknown): void => log.error(`the web token could not be reloaded: ${stackOf(fault)}`);
    stopWatching = storage.watchFile(join(product.home, tokenFileName), () => void parts.webToken.reload().catch(reloadFailed));
    emitter.emit('server_listening', {});
    // Third-party plugins are loaded from here on.
    void withLimit(kernel.idle(), thirdPartyMs, () => undefined).then(thirdParty.settle, thirdParty.settle);
    return endpoint.address;
  }

  async function openListener(server: HttpServer, listener: Listener): Promise<() => Promise<void>> {
    const { host, port } = listener;
    try {
      await refuseUnprotected(host);
      const endpoint = await server.open(listener);
      listener.opened?.(endpoint.address);
      return () => server.shut(endpoint);
    } catch (fault) {
      const described = describeFault(fault, host, port);
      log.error(`an additional listener failed: ${described.message}`);
      listener.failed?.(described);
      return () => Promise.resolve();
    }
  }

  async function warmUp(signal: AbortSignal): Promise<void> {
    await readiness.wait();
    await running?.server.warmUp();
    if (signal.aborted) return;
    warming = emitter.call('server.idle', [], { signal });
    await warming;
  }

  async function loadServer(): Promise<HttpServer> {
    const { createServer } = await import('./server.ts');
    return createServer({
      ...parts,
      waitUntilReady: () => readiness.wait(),
      // Third-party plugins finish loading after the server has started to listen.
      hasAllRoutes: () => readiness.isSettled() && (running === undefined || thirdParty.isSettled()),
      waitForAllRoutes: () => readiness.wait().then(() => (running === undefined ? undefined : thirdParty.wait())),
    });
  }

  async function refuseUnprotected(host: string): Promise<void> {
    if (isLoopback(host)) return;
    const sources = await Promise.all([...parts.tokenSources].map(async (source) => source.isSetUp()));
    const { webToken } = settings;
    if (!sources.includes(true)) throw makeError('BIND_REFUSED', { host });
    if (webToken !== undefined && webToken.length < minTokenLength) throw makeError('TOKEN_GUESSABLE', { host, least: minTokenLength });
    log.warn(`listening on ${host}: other machines can reach this server, and any client with the token can use it`);
  }

  function describeFault(fault: unknown, host: string, port: number): KernelError {
    const { code, message = '' } = fault as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') return makeError('PORT_IN_USE', { port, host }, fault);
    return code?.includes('_ERR_') ? (fault as KernelError) : makeError('LISTEN_FAILED', { port, host, why: message }, fault);
  }

  async function stop(): Promise<void> {
    await starting?.catch(() => undefined);
    const wasRunning = running !== undefined;
    const ending = await load.made?.catch(() => undefined);
    stopWatching?.();
    stopWarming?.();
    // The warm-up must end before the services that it uses are unloaded.
    await warming?.catch(() => undefined);
    await ending?.drain();
    try {
      await parts.listeners.stop();
      if (wasRunning) await working?.dispose();
    } finally {
      await ending?.close();
      if (wasRunning) await storage.remove(noticePath);
      running = starting = undefined;
      load = lazy(loadServer);
    }
  }

  emitter.on('kernel_ready', readiness.settle);
  emitter.on('token_rotated', () => running?.server.endStreams());

  return {
    async listen({ port = settings.port, host = settings.bindHost } = {}) {
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

/** Delay of the warm-up in milliseconds, so that clients that were waiting for the server are served first. */
const momentMs = 250;

/** Runs `work` once, shortly after startup, while no request is being served. Contract: `work` never rejects. Returns a function that cancels it. */
function whenIdle(server: Pick<HttpServer, 'isIdle'>, work: () => Promise<void>): () => void {
  let timer = setTimeout(look, momentMs);
  function look(): void {
    if (server.isIdle()) void work();
    else timer = setTimeout(look, momentMs);
  }
  return () => clearTimeout(timer);
}

/** Reads `server.json` of a home folder, which contains the address of its server. Returns `undefined` if no server is running or the file is being written. */
export async function readNotice(path: string): ReturnType<Http['running']> {
  try {
    const { pid, port, host } = JSON.parse(await readFile(path, 'utf8')) as { pid?: unknown; port?: unknown; host?: unknown };
    if (!Number.isSafeInteger(pid) || !Number.isSafeInteger(port) || (pid as number) <= 0) return undefined;
    // Throws if there is no such process, or if it belongs to another user and so cannot be the server.
    process.kill(pid as number, 0);
    return { pid: pid as number, url: urlOf(typeof host === 'string' && host !== '' ? host : '127.0.0.1', port as number) };
  } catch {
    return undefined;
  }
}

export interface Readiness {
  settle(): void;
  isSettled(): boolean;
  /** Resolves when the plugins are loaded. Rejects with `NOT_READY` after 10 s. */
  wait(): Promise<void>;
}

const readyWithinMs = 10_000;

/** Creates a gate that delays requests until the product's plugins, or all plugins, are loaded. */
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
