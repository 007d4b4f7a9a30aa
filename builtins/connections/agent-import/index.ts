// Registers the import of sessions, rules and MCP servers of other agents on this machine.
import { lazy } from '#lib/async';
import { homedir } from 'node:os';
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/http';
import { createImportRoutes } from './routes.ts';

export const manifest = {
  name: 'agent-import',
  requires: ['chats', 'http'],
  config: Type.Object({
    home: Type.Optional(
      Type.String({
        env: 'AGENT_IMPORT_HOME',
        title: 'Home folder of other agents',
        description: 'Absolute path of the folder in which other agents store their sessions, rules and servers. Empty: your home folder.',
        apply: 'restart',
      }),
    ),
  }),
  errors: {
    NOT_FOUND: { message: "There is no {what} '{id}' of that agent on this machine.", status: 404 },
    REFUSED: { message: '{why} ({code})', status: 422 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { chats, http } = registry.services;
  const load = lazy(() =>
    import('./agent-import.ts').then(({ createAgentImport }) =>
      createAgentImport({
        chats,
        http,
        // With a configured home folder, the user's environment variables are ignored.
        places: registry.config.home === undefined ? { home: homedir(), environment: process.env } : { home: registry.config.home, environment: {} },
        notFound: (what, id) => registry.error('NOT_FOUND', { what, id }),
        refused: (reason, why) => registry.error('REFUSED', { code: reason, why }),
      }),
    ),
  );
  for (const route of createImportRoutes(load)) registry.add('route', route);
}
