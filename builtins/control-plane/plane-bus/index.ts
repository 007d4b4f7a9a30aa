// Registers the team bus: messages between members' agents, stored in the database and sent to subscribers on all nodes.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-people';
import type {} from 'agent-harness/builtins/control-plane/plane-signals';
import { messageOf } from '#lib/errors';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/schedule';
import { createBusFeeds } from './bus-feeds.ts';
import { createBusLog } from './bus-log.ts';
import { busRoutes } from './routes.ts';
import { restoredBus } from './restored.ts';

/** `bus_workspace` is the lock under which a message gets its cursor. The next cursor is assigned only after the commit, so no reader skips a message. */
const tables = `
  create table bus_workspace (org_id text not null, workspace text not null, cursor bigint not null, primary key (org_id, workspace));
  create table bus_message (
    org_id text not null, workspace text not null, cursor bigint not null, at timestamptz not null,
    key text not null, envelope text not null, user_id text not null, name text not null, client_id text not null, mutation_id text not null,
    primary key (org_id, workspace, cursor), unique (org_id, user_id, client_id, mutation_id)
  );
  create index bus_message_at on bus_message (at)`;

/** Cursors of a restored control plane start above all cursors that readers may have seen, including those of workspaces that the backup lacks. */
const floors = `
  create table bus_floor (only_one boolean primary key default true check (only_one), cursor bigint not null)`;

export const manifest = {
  name: 'plane-bus',
  requires: ['database', 'signals', 'people', 'http'],
  config: Type.Object({
    days: Type.Number({
      default: 30,
      minimum: 0,
      maximum: 36_500,
      env: 'HUB_BUS_DAYS',
      title: 'Bus retention',
      description:
        'Number of days for which messages of the bus are stored; fractions are allowed. A service that reconnects later receives a notice of the gap.',
      apply: 'live',
    }),
  }),
  errors: {
    TOO_LARGE: { message: 'The envelope is too large: at most {limit} bytes of JSON are allowed. Send the address of the content instead.', status: 413 },
    MUTATION_REUSED: { message: "This client has already published a different message with the mutation id '{mutationId}'. Use a new id.", status: 409 },
    INVALID_REQUEST: { message: 'The subscription is not valid: {why} Subscribe without a cursor.', status: 400 },
  },
} as const satisfies PluginManifest;

/** Interval between deletions of expired messages, in milliseconds. */
const sweepMs = 3_600_000;

export function register(registry: Registry<typeof manifest>): void {
  const { services, config, log: logger } = registry;
  registry.add('migration', { number: 1, name: 'bus', sql: tables });
  registry.add('migration', { number: 2, name: 'floors', sql: floors });
  registry.add('restore_step', restoredBus);
  const log = createBusLog(services.database, config);
  const onFault = (fault: unknown): void => logger.warn(`messages of the bus could not be read; the read will be repeated: ${messageOf(fault)}`);
  const feeds = createBusFeeds({ log, signals: services.signals, onFault });
  registry.defer(() => feeds.dispose(), 'feeds');
  registry.add('job', { name: 'sweep-bus', when: { everyMs: sweepMs }, run: async () => void (await log.sweep()) });
  for (const route of busRoutes({ log, feeds, services, makeError: registry.error.bind(registry), onFault })) registry.add('route', route);
}
