// Registers synchronised notes: sets of notes that a user has on several machines or that a team shares.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-people';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/schedule';
import { createNoteSets } from './note-sets.ts';
import { notesRoutes } from './routes.ts';
import { noteTables } from './tables.ts';

export const manifest = {
  name: 'plane-notes',
  requires: ['database', 'people', 'http'],
  config: Type.Object({
    tombstoneDays: Type.Number({
      default: 90,
      minimum: 0,
      maximum: 36_500,
      env: 'HUB_TOMBSTONE_DAYS',
      title: 'Deletion retention',
      description: 'Number of days for which deletions are stored; fractions are allowed. A copy that syncs later must read all notes again.',
      apply: 'restart',
    }),
  }),
  errors: {
    REVISION_CONFLICT: {
      message: 'Another client changed one of these notes. Read the changes, merge them, and send the change again with a new mutation id.',
      status: 409,
    },
    MUTATION_OUT_OF_ORDER: {
      message: 'The mutation id was already used for another change, or is lower than the last one. Continue with a new client id.',
      status: 409,
    },
    TOO_LARGE: { message: 'The notes are too large: the limit of {what} is {limit}.', status: 413 },
    INVALID_REQUEST: { message: 'The notes are not valid: {why}', status: 400 },
    CHAT_SCOPED: { message: 'Notes of a chat are not synchronised. Send notes of a workspace, or global notes.', status: 400 },
  },
} as const satisfies PluginManifest;

const dayMs = 86_400_000;
/** Maximum interval between deletions of expired notes, in milliseconds. */
const maxPauseMs = 3_600_000;

export function register(registry: Registry<typeof manifest>): void {
  const { services, config } = registry;
  registry.add('migration', { number: 1, name: 'notes', sql: noteTables });
  const sets = createNoteSets({ database: services.database, tombstoneDays: () => config.tombstoneDays });
  for (const route of notesRoutes({ people: services.people, sets, makeError: registry.error.bind(registry) })) registry.add('route', route);
  registry.add('job', {
    name: 'forget-deletions',
    when: { everyMs: Math.min(maxPauseMs, Math.max(1_000, Math.round((config.tombstoneDays * dayMs) / 4))) },
    run: () => sets.sweep(),
  });
}
