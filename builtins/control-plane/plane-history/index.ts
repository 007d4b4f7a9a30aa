// Registers the session history: services upload chats in chunks; only the owner of a chat can search and read it.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-people';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/schedule';
import { historyRoutes } from './routes.ts';
import { createSessionStore } from './session-store.ts';
import { historyTables } from './tables.ts';

export const manifest = {
  name: 'plane-history',
  requires: ['database', 'people', 'http'],
  config: Type.Object({
    days: Type.Number({
      default: 0,
      minimum: 0,
      maximum: 36_500,
      env: 'HUB_HISTORY_DAYS',
      title: 'Session retention',
      description: 'Number of days after the last upload at which a session is deleted. 0 keeps all sessions.',
      apply: 'restart',
    }),
  }),
  errors: {
    CHUNK_CONFLICT: { message: 'Chunk {seq} of this session is already stored with different lines.', status: 409 },
    CHUNK_MISSING: { message: 'Earlier chunks are missing. Continue with chunk {nextSeq}.', status: 409 },
    INVALID_REQUEST: { message: 'The request is not valid: {why}', status: 400 },
    TOO_LARGE: { message: 'The upload is too large: {what} may be at most {limit}.', status: 413 },
    NOT_FOUND: { message: "There is no session '{sessionId}'.", status: 404 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services, config } = registry;
  registry.add('migration', { number: 1, name: 'sessions', sql: historyTables });
  const store = createSessionStore(services.database);
  for (const route of historyRoutes({ people: services.people, store, makeError: registry.error.bind(registry) })) registry.add('route', route);
  registry.add('job', {
    name: 'remove-old-sessions',
    when: { everyMs: 3_600_000 },
    run: async () => (config.days > 0 ? store.removeOld(config.days) : undefined),
  });
}
