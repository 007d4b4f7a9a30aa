// The database: PostgreSQL where `DATABASE_URL` says so, else the same embedded in this process; its tables come from migrations.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/storage';
import type { Database, Migration } from './contract.ts';
import type { Connection } from './connection.ts';
import { createMigrationList } from './migration-list.ts';

export const manifest = {
  name: 'plane-database',
  requires: ['product'],
  provides: ['database'],
  config: Type.Object({
    url: Type.String({
      default: '',
      env: 'DATABASE_URL',
      secret: true,
      title: 'Database',
      description: 'PostgreSQL as `postgresql://user:password@host:5432/name`; left empty, an embedded one in the home folder, for one node.',
      apply: 'restart',
    }),
  }),
  errors: {
    UNAVAILABLE: { message: 'The database cannot be reached: {why} Try again in a moment.', status: 503 },
    MIGRATION: { message: "Migration {number} '{name}' of '{plugin}' failed, so nothing was changed: {why}" },
    NEWER: {
      message: "The database was made by a newer version: it has migration {number} of '{plugin}'. Install that version, or restore a backup of this one.",
    },
    NOT_INSTALLED: { message: "The embedded database is not installed. Install it with 'npm install @electric-sql/pglite@{version}', or set DATABASE_URL." },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { product } = registry.services;
  const migrations = createMigrationList();
  registry.point<'migration'>('migration', {
    validate: (item: Migration, owner: string) => migrations.validate(item, owner),
    added: (item, owner) => migrations.add(item, owner),
    removed: (item, owner) => migrations.remove(item, owner),
  });

  let opening: Promise<Connection> | undefined;
  const open = (): Promise<Connection> =>
    (opening ??= openMigrated().catch((fault: unknown) => {
      opening = undefined;
      throw fault;
    }));

  async function openMigrated(): Promise<Connection> {
    const makeError = registry.error.bind(registry);
    const connection =
      registry.config.url === ''
        ? await (await import('./embedded-connection.ts')).openEmbedded(product.home, makeError)
        : await (await import('./postgres-connection.ts')).openPostgres(registry.config.url, makeError);
    try {
      const { migrate } = await import('./migrate.ts');
      await migrate(connection, migrations.all(), makeError);
    } catch (fault) {
      await connection.close();
      throw fault;
    }
    return connection;
  }

  const database: Database = {
    ready: async () => void (await open()),
    query: async (sql, parameters) => (await open()).query(sql, parameters),
    transaction: async (work, options) => (await open()).transaction(work, options),
    async status() {
      const connection = await open();
      const [row] = await connection.query<{ version: string; count: number }>(
        `select current_setting('server_version') as version, (select count(*) from plane_migration) as count`,
      );
      return { kind: connection.kind, version: row?.version ?? '', migrations: row?.count ?? 0 };
    },
  };
  registry.provide('database', () => database);
  registry.defer(async () => (await opening?.catch(() => undefined))?.close(), 'database');
}
