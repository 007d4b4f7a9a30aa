// Emits `kernel_ready` once per run of a plugin: to active plugins when the kernel is ready, to later ones when they become active.
import type { PluginTable, Run } from './record.ts';

/** @param emit notifies the listeners of the matching plugins only */
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
      // Includes the host's listeners.
      emit((plugin) => names.has(plugin) || table.get(plugin) === undefined);
    },
    greet(): void {
      const names = isReady ? takeNew() : new Set<string>();
      if (names.size > 0) emit((plugin) => names.has(plugin));
    },
  };
}
