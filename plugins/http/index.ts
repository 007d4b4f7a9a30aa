// Registers the HTTP server: its services, and the contribution points for routes, listeners, WebSockets and token sources.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import type { ClientAddress, Http, TokenSource } from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/patterns';
import type {} from 'agent-harness/plugins/processes';
import type {} from 'agent-harness/plugins/storage';
import { config } from './config.ts';
import { errors } from './errors.ts';
import { createHttp } from './http-service.ts';
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

const documentSchema = { reply: Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'An OpenAPI 3.1 document.' }) };

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const makeError = registry.error.bind(registry);
  const routes = createRouteTable();
  const tokenSources = new Set<TokenSource>();
  const clientAddresses = new Set<ClientAddress>();
  const listeners = createListeners();
  const sockets = createSocketTable();
  const { services, config: settings, log } = registry;
  const sections = createReplySections(routes, services.kernel, log);
  const onRotated = (): void => emitter.emit('token_rotated', {});
  const { product, storage } = services;
  const webToken: OwnedWebToken = createWebToken({ home: product.home, storage, fixed: settings.webToken, makeError, onRotated });
  emitter.hook('server.idle', 'series');
  const http: Http = createHttp({ services, settings, routes, sections, sockets, tokenSources, clientAddresses, listeners, webToken, log, makeError }, emitter);

  registry.point('route', routes.handler);
  registry.point('listener', listeners.handler);
  registry.point('reply_section', sections.point);
  registry.point('web_socket', sockets.handler);
  const reviewed = (change: () => void): void => {
    change();
    http.reviewStreams().catch((fault: unknown) => log.warn(`open streams could not be checked again: ${messageOf(fault)}`));
  };
  registry.point('token_source', {
    added: (source) => reviewed(() => tokenSources.add(source)),
    removed: (source) => reviewed(() => tokenSources.delete(source)),
  });
  registry.point('client_address', { added: (source) => void clientAddresses.add(source), removed: (source) => void clientAddresses.delete(source) });
  registry.add('token_source', webTokenSource(webToken, settings.webToken));
  registry.provide('webToken', () => webToken);
  registry.provide('http', () => http);
  registry.defer(() => http.close(), 'server');
  registry.add('route', {
    key: 'GET /api/openapi.json',
    summary: 'Returns the OpenAPI document of the current routes.',
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
