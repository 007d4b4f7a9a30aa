// Registers OpenAPI: the operations of a document become tools; for large documents, operations are found by search.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/connections/integrations';
import type {} from 'agent-harness/builtins/tools/files';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/connections';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/tools';
import { createConnections } from './connections.ts';
import { errorTable } from './error-table.ts';
import { createConnectionRoutes } from './routes.ts';

export const manifest = {
  name: 'openapi',
  requires: ['connectionStore', 'product', 'storage', 'tools'],
  optional: ['providerTokens', 'workspaceFiles'],
  errors: errorTable,
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, log, signal } = registry;
  const makeError = registry.error.bind(registry);
  const connections = createConnections({
    services,
    tokens: () => services.providerTokens,
    files: () => services.workspaceFiles,
    log,
    signal,
    makeError,
    child: (label) => registry.child(label),
    announce: (name, status) => emitter.call('connection.changed', [{ kind: 'openapi', name, status }]),
    compile: async (request, requestSignal, taken) => (await import('./connect.ts')).compileRequest(request, requestSignal, taken, makeError),
    recompile: async (...saved) => (await import('./connect.ts')).compileSaved(...saved),
  });
  for (const route of createConnectionRoutes(connections)) registry.add('route', route);
  registry.add('connection_source', { name: 'openapi', connections: () => connections.list() });
  // Restores the saved tables in the background; only a turn waits for them.
  const restoring = connections.restored().catch((fault: unknown) => log.warn(`saved connections could not be read: ${String(fault)}`));
  registry.defer(() => restoring, 'saved connections');
  emitter.tap('turn.before', () => restoring);
}
