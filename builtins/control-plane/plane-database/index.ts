// Registers the database of the control plane: PostgreSQL if `DATABASE_URL` is set, otherwise the embedded database. Applies the migrations of plugins.
import { join } from 'node:path';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import { withLimit } from '#lib/async';
import { messageOf } from '#lib/errors';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/schedule';
import type {} from 'agent-harness/plugins/storage';
import type { Database, Migration, RestoreStep } from './contract.ts';
import type { Connection, MakeError } from './connection.ts';
import { createCommands } from './commands.ts';
import { createDumps } from './dumps.ts';
import { createMigrationList } from './migration-list.ts';
import { createNesting } from './nesting.ts';
import { withValueErrors } from './value-errors.ts';

export const manifest = {
  name: 'plane-database',
  requires: ['product', 'storage'],
  provides: ['database'],
  config: Type.Object({
    url: Type.String({
      default: '',
      env: 'DATABASE_URL',
      secret: true,
      title: 'Database',
      description:
        'Address of a PostgreSQL database, `postgresql://user:password@host:5432/name`. If empty, an embedded database in the home folder is used, for one node.',
      apply: 'restart',
    }),
    statementMs: Type.Integer({
      default: 30_000,
      minimum: 100,
      maximum: 600_000,
      env: 'HUB_STATEMENT_MS',
      title: 'Statement timeout',
      description: 'Time in milliseconds after which the database cancels a statement, so that one request cannot block the others.',
      apply: 'restart',
    }),
  }),
  errors: {
    UNAVAILABLE: { message: 'The database cannot be reached: {why} Try again in a moment.', status: 503 },
    REFUSED: { message: 'The database rejects the credentials of DATABASE_URL: {why}' },
    VALUE: { message: 'The request contains a value that cannot be stored: {why}.', status: 400 },
    BAD_URL: { message: 'DATABASE_URL is not the address of a PostgreSQL database. Use the form postgresql://user:password@host:5432/name.' },
    IN_USE: {
      message:
        'Another process is using the embedded database in {home}. Stop it first, or set DATABASE_URL to a PostgreSQL server, which allows several processes.',
    },
    BROKEN: {
      message: 'The embedded database in {folder} cannot be opened: {why}. Move the folder away, and restore a backup or the newest file in the dumps folder.',
    },
    BACKUP: { message: '{path} cannot be restored: {why}. Nothing was changed.' },
    NO_FILE: { message: 'Exactly one file name is required.' },
    SERVED: { message: 'A server is using the database. Stop every node of the control plane first.' },
    NOT_EMPTY: { message: 'The database already has tables of a control plane. Use another database or home folder, or replace its content with --replace.' },
    MIGRATION: { message: "Migration {number} '{name}' of '{plugin}' failed, so nothing was changed: {why}" },
    NEWER: {
      message:
        "The database was created by a newer version: it has migration {number} of '{plugin}'. Install that version, or restore a backup of this version.",
    },
    NOT_INSTALLED: { message: "The embedded database is not installed. Install it with 'npm install @electric-sql/pglite@{version}', or set DATABASE_URL." },
  },
} as const satisfies PluginManifest;

const statusTimeoutMs = 2_000;
/** Value of the `Retry-After` header for HTTP clients, in seconds. */
const retryAfterS = 2;
/** Interval between backups of the embedded database, in milliseconds. */
const dumpEveryMs = 3_600_000;
/** Maximum duration of the backup at shutdown in milliseconds, because the user is waiting. */
const longestDumpMs = 4_000;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { config, log } = registry;
  const { product, storage } = registry.services;
  const makeError: MakeError = (reason, details, cause) =>
    registry.error(reason, reason === 'UNAVAILABLE' ? { retryAfter: retryAfterS, ...details } : details, cause);
  const migrations = createMigrationList();
  registry.point<'migration'>('migration', {
    validate: (item: Migration, owner: string) => migrations.validate(item, owner),
    added: (item, owner) => migrations.add(item, owner),
    removed: (item, owner) => migrations.remove(item, owner),
  });

  const restoreSteps = new Set<RestoreStep>();
  registry.point<'restore_step'>('restore_step', { added: (step) => void restoreSteps.add(step), removed: (step) => void restoreSteps.delete(step) });

  const nesting = createNesting();
  emitter.hook('database.ready', 'series', { onError: 'skip' });
  let isServing = false;
  let opening: Promise<Connection> | undefined;
  const open = (): Promise<Connection> =>
    (opening ??= openMigrated().catch((fault: unknown) => {
      opening = undefined;
      throw fault;
    }));

  /** Opens the database without migrating its tables. */
  async function openAsIs(): Promise<Connection> {
    if (config.url !== '') return (await import('./postgres-connection.ts')).openPostgres(config.url, config.statementMs, makeError);
    const { openEmbedded } = await import('./embedded-connection.ts');
    return openEmbedded({ home: product.home, storage, longestMs: config.statementMs, makeError });
  }

  async function openMigrated(): Promise<Connection> {
    const connection = await openAsIs();
    try {
      const { migrate } = await import('./migrate.ts');
      await migrate(connection, migrations.all(), makeError);
      await emitter.call('database.ready', [connection]);
    } catch (fault) {
      await connection.close();
      throw fault;
    }
    return connection;
  }

  const database: Database = {
    async ready(options = {}) {
      const connection = await open();
      isServing ||= options.isServing === true;
      if (isServing && connection.isJoined) throw makeError('IN_USE', { home: product.home });
    },
    notify: async (channel, payload) => (await open()).notify(channel, payload),
    listen(channel, listener) {
      let isOver = false;
      // If opening the database failed, later queries report the error.
      const listening = open().then(
        (connection) => (isOver ? undefined : connection.listen(channel, listener)),
        () => undefined,
      );
      return {
        async dispose() {
          isOver = true;
          await (await listening)?.dispose();
        },
      };
    },
    query: async (sql, parameters) => {
      nesting.refuse();
      return withValueErrors(await open(), makeError).query(sql, parameters);
    },
    transaction: async (work, options) => {
      nesting.refuse();
      return (await open()).transaction((query) => nesting.run(() => work(withValueErrors(query, makeError))), options);
    },
    async status() {
      const connection = await open();
      const asked = connection.query<{ version: string; count: number }>(
        `select current_setting('server_version') as version, (select count(*) from plane_migration) as count`,
      );
      const [row] = await withLimit(asked, statusTimeoutMs, () => {
        throw makeError('UNAVAILABLE', { why: 'it does not respond.' });
      });
      return { kind: connection.kind, version: row?.version ?? '', migrations: row?.count ?? 0 };
    },
  };
  registry.provide('database', () => database);
  const dumps = createDumps(join(product.home, 'dumps'), product.version);
  if (config.url === '') {
    registry.add('job', { name: 'plane-database-dump', when: { everyMs: dumpEveryMs }, run: async () => dumps.dump(await open()) });
  }
  registry.defer(async () => (await opening?.catch(() => undefined))?.close(), 'database');
  registry.defer(async () => {
    const connection = await opening?.catch(() => undefined);
    if (connection?.kind !== 'embedded' || !isServing) return;
    const failed = (fault: unknown): void => log.warn(`The automatic backup at shutdown failed: ${messageOf(fault)}`);
    await withLimit(dumps.dump(connection).catch(failed), longestDumpMs, () => undefined);
  }, 'dump of the database');
  const commands = createCommands({ version: product.version, openAsIs, steps: () => migrations.all(), restoreSteps: () => restoreSteps, makeError });
  for (const command of commands) registry.add('cli_command', command);
}
