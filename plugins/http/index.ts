// The HTTP server: routes as contributions, the web token, and who may call.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import { withLimit } from 'agent-harness/lib/async';
import { messageOf } from 'agent-harness/lib/errors';
import type { ClientAddress, Http, TokenSource } from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/patterns';
import type {} from 'agent-harness/plugins/processes';
import type {} from 'agent-harness/plugins/storage';
import { config } from './config.ts';
import { errors } from './error-table.ts';
import { createHttp, createReadiness } from './http-service.ts';
import { createListeners } from './listeners.ts';
import { createReplySections } from './reply-sections.ts';
import { createRouteTable, createSocketTable } from './route-table.ts';
import { createWebToken, webTokenSource, type OwnedWebToken } from './web-token.ts';

export const manifest = {
  name: 'http',
  requires: ['kernel', 'storage', 'product', 'processes', 'limitedPatterns'],
  provides: ['http', 'webToken'],
  events: ['server_listening', 'token_rotated'],
  config,
  errors,
} as const satisfies PluginManifest;

/** For so long after the start requests of unknown paths wait for third-party plugins, in milliseconds. */
const thirdPartyMs = 2_000;

const documentSchema = { reply: Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'OpenAPI 3.1.' }) };

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const makeError = registry.error.bind(registry);
  const routes = createRouteTable();
  const tokenSources = new Set<TokenSource>();
  const clientAddresses = new Set<ClientAddress>();
  const listeners = createListeners();
  const sockets = createSocketTable();
  const readiness = createReadiness(makeError);
  const thirdParty = createReadiness(makeError);
  const { kernel, product, processes, storage, limitedPatterns } = registry.services;
  const sections = createReplySections(routes, kernel, registry.log);
  const onRotated = (): void => emitter.emit('token_rotated', {});
  const webToken: OwnedWebToken = createWebToken({ home: product.home, storage, fixed: registry.config.webToken, makeError, onRotated });
  const http: Http = createHttp({
    settings: registry.config,
    product,
    storage,
    routes,
    sections,
    runAs: (plugin, work, what) => kernel.runAs(plugin, work, what),
    sockets,
    webToken,
    processes,
    limitedPatterns,
    tokenSources: () => tokenSources,
    clientAddresses: () => clientAddresses,
    listeners,
    readiness,
    thirdParty,
    log: registry.log,
    makeError,
    startApp: () => kernel.start(),
    onListening() {
      emitter.emit('server_listening', {});
      // Third-party plugins are loaded from now on.
      void withLimit(kernel.idle(), thirdPartyMs, () => undefined).then(thirdParty.settle, thirdParty.settle);
    },
    onIdle: (signal) => emitter.call('server.idle', [], { signal }),
  });

  emitter.hook('server.idle', 'series');
  emitter.on('kernel_ready', () => readiness.settle());
  emitter.on('token_rotated', () => http.endStreams());
  registry.point('route', routes.handler);
  registry.point('listener', listeners.handler);
  registry.point('reply_section', sections.point);
  registry.point('web_socket', sockets.handler);
  const reviewed = (change: () => void): void => {
    change();
    http.reviewStreams().catch((fault: unknown) => registry.log.warn(`open streams could not be looked at again: ${messageOf(fault)}`));
  };
  registry.point('token_source', {
    added: (source) => reviewed(() => tokenSources.add(source)),
    removed: (source) => reviewed(() => tokenSources.delete(source)),
  });
  registry.point('client_address', { added: (source) => void clientAddresses.add(source), removed: (source) => void clientAddresses.delete(source) });
  registry.add('token_source', webTokenSource(webToken, registry.config.webToken));
  registry.provide('webToken', () => webToken);
  registry.provide('http', () => http);
  registry.defer(() => http.close(), 'server');
  registry.add('route', {
    key: 'GET /api/openapi.json',
    summary: 'This document.',
    tag: 'server',
    permission: 'server.read',
    schema: documentSchema,
    handle: () => http.openapi(),
  });
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/openapi.json': typeof documentSchema;
  }
}
