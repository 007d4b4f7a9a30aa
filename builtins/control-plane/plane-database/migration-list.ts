// Lists the database migrations of all plugins, in load order.
import type { Migration } from './contract.ts';

export interface OwnedMigration extends Migration {
  readonly plugin: string;
}

export interface MigrationList {
  validate(migration: Migration, plugin: string): string | undefined;
  add(migration: Migration, plugin: string): void;
  remove(migration: Migration, plugin: string): void;
  all(): readonly OwnedMigration[];
}

export function createMigrationList(): MigrationList {
  const steps = new Map<string, Migration[]>();
  return {
    validate({ number, name, sql }, plugin) {
      const next = (steps.get(plugin)?.length ?? 0) + 1;
      if (number !== next) return `migration ${number} of '${plugin}' must have the number ${next}; numbers count up from 1 without gaps.`;
      if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || sql.trim() === '') return `migration ${number} of '${plugin}' needs a name in kebab-case and statements.`;
      return undefined;
    },
    add(migration, plugin) {
      steps.set(plugin, [...(steps.get(plugin) ?? []), migration]);
    },
    remove(migration, plugin) {
      steps.set(
        plugin,
        (steps.get(plugin) ?? []).filter((one) => one !== migration),
      );
    },
    all: () => [...steps].flatMap(([plugin, list]) => list.map((one) => ({ ...one, plugin }))),
  };
}
