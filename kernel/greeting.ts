// Emits `kernel_ready` once for each run of a plugin: to those that are active when the kernel is ready, and to later ones when they are.
import type { PluginTable, Run } from './record.ts';

/** @param emit only to the listeners of the plugins that are meant */
export function createGreeting(table: PluginTable, emit: (isMeant: (plugin: string) => boolean) => void) {
  const greeted = new WeakSet<Run>();
  let isReady = false;

  function takeNew(): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { name, status } of table.running) {
      if (status.kind !== 'active' || greeted.has(status.run)) continue;
      greeted.add(status.run);
      names.add(name);
    }
    return names;
  }

  return {
    begin(): void {
      if (isReady) return;
      isReady = true;
      const names = takeNew();
      // The host listens, too.
      emit((plugin) => names.has(plugin) || table.get(plugin) === undefined);
    },
    greet(): void {
      const names = isReady ? takeNew() : new Set<string>();
      if (names.size > 0) emit((plugin) => names.has(plugin));
    },
  };
}
