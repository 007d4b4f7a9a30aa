// The service `http`: starts and stops the server in order.
import { join } from 'node:path';
import type { Disposable, KernelControl, KernelError, Logger } from 'agent-harness/kernel';
import { errorOf, messageOf, stackOf } from 'agent-harness/lib/errors';
import { isLoopback } from 'agent-harness/lib/hosts';
import type { Http, HttpAddress, Listener } from 'agent-harness/plugins/http';
import type { LimitedPatterns } from 'agent-harness/plugins/patterns';
import type { Processes } from 'agent-harness/plugins/processes';
import type { Product, Storage } from 'agent-harness/plugins/storage';
import type { AdmissionParts } from './admission.ts';
import type { MakeError } from './error-table.ts';
import { describeRoutes } from './openapi.ts';
import { type OriginSettings } from './origin-policy.ts';
import { permits } from './permits.ts';
import { minTokenLength } from './web-token.ts';
import type { Readiness } from './readiness.ts';
import { hostsVariable } from './config.ts';
import type { ReplySections } from './reply-sections.ts';
import type { RouteTable } from './route-table.ts';
import type { Door } from './door.ts';
import type { Listeners } from './listeners.ts';
import type { Serving } from './serving.ts';
import type { SocketTable } from './socket-table.ts';
import { whenIdle } from './when-idle.ts';
import { tokenFileName, type OwnedWebToken } from './web-token.ts';

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
  readonly tokenSources: AdmissionParts['tokenSources'];
  readonly clientAddresses: AdmissionParts['clientAddresses'];
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
  let serving: Promise<Serving> | undefined;
  let running: { readonly door: Door; readonly serving: Serving } | undefined;
  let working: Disposable | undefined;
  let starting: Promise<HttpAddress> | undefined;
  let stopping: Promise<void> | undefined;
  let stopWatching: (() => void) | undefined;
  let stopWarming: (() => void) | undefined;
  let warming: Promise<void> | undefined;

  async function start(host: string, port: number): Promise<HttpAddress> {
    await refuseOpenDoor(host);
    // Loading takes longer than anything else here, so the rest goes on meanwhile.
    const loading = serve();
    const making = parts.webToken.current();
    for (const early of [loading, making]) early.catch(() => undefined); // each is awaited later, and fails there
    try {
      working = await parts.startApp();
      const serving = await loading;
      // Who reads that the server is ready finds the file of the token.
      await making;
      running = { serving, door: await serving.open({ host, port }) };
    } catch (fault) {
      await working?.dispose();
      throw describeFault(fault, host, port);
    }
    const { door, serving } = running;
    await parts.listeners.start({ open: (listener) => openFurther(serving, listener), shut: (one) => serving.shut(one), onFault: reportListener });
    const stopped = new AbortController();
    const failed = (fault: unknown): void => void (stopped.signal.aborted || log.info(`the server was not warmed up: ${messageOf(fault)}`));
    const cancel = whenIdle(serving, () => warmUp(stopped.signal).catch(failed));
    stopWarming = () => (cancel(), stopped.abort());
    await storage.writeJson(noticePath, { pid: process.pid, port: door.address.port, host, startedAt: new Date().toISOString() });
    stopWatching = storage.watchFile(join(product.home, tokenFileName), () => void parts.webToken.reload().catch(logFault));
    parts.onListening();
    return door.address;
  }

  async function openFurther(serving: Serving, listener: Listener): Promise<Door> {
    const { host, port } = listener;
    await refuseOpenDoor(host);
    return serving.open(listener).catch((fault: unknown) => {
      throw describeFault(fault, host, port);
    });
  }

  function reportListener(fault: unknown, listener: Listener): void {
    log.error(`a further listener failed: ${messageOf(fault)}`);
    listener.failed?.(errorOf(fault));
  }

  async function warmUp(signal: AbortSignal): Promise<void> {
    await parts.readiness.wait();
    await running?.serving.compileEarly();
    if (signal.aborted) return;
    warming = parts.onIdle(signal);
    await warming;
  }

  function serve(): Promise<Serving> {
    serving ??= loadServing().catch((fault: unknown) => {
      serving = undefined;
      throw fault;
    });
    return serving;
  }

  async function loadServing(): Promise<Serving> {
    const [{ createServing }, { createAdmission }, { createOriginPolicy }] = await Promise.all([
      import('./serving.ts'),
      import('./admission.ts'),
      import('./origin-policy.ts'),
    ]);
    const { routes, sockets } = parts;
    return createServing({
      productName: product.name,
      hostsVariable: product.setBy?.[hostsVariable] ?? hostsVariable,
      routes,
      sections: parts.sections,
      runAs: parts.runAs,
      sockets,
      createPolicy: (address) => createOriginPolicy(parts.settings, address, () => routes.all()),
      admission: createAdmission({ productName: product.name, ...parts }),
      makeError,
      limitedPatterns: parts.limitedPatterns,
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

  async function refuseOpenDoor(host: string): Promise<void> {
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
    const ending = await serving?.catch(() => undefined);
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
      running = starting = serving = undefined;
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
    address: () => running?.door.address,
    running: async () => (await import('./server-notice.ts')).readNotice(noticePath),
    dispatch: async (request, { principal }) => (await serve()).dispatch(request, principal),
    has: (key) => parts.routes.has(key),
    find: (command) => parts.routes.find(command),
    close: () =>
      (stopping ??= stop().finally(() => {
        stopping = undefined;
      })),
    permits,
    openapi: () => describeRoutes(parts.routes.all(), parts.sections.schemaOf, product),
    endStreams: () => running?.serving.endStreams(),
    reviewStreams: async () => running?.serving.reviewStreams(),
  };
}
