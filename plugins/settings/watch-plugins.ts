// Reads the folder of a person's own plugins again once something in it was added, saved or deleted.
import { mkdirSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Disposable } from 'agent-harness/kernel';

/** An editor saves in several steps. */
const settledMs = 100;

/**
 * Watches the folder, which is made if it is not there, and the folders in it. A folder that cannot be watched is told by
 * `onFault`; then `app plugins reload` still reads it. Whoever calls this disposes the answer.
 */
export function watchPluginFolder(dir: string, reload: () => Promise<unknown>, onFault: (fault: unknown) => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let open: (() => void)[] = [];
  let isOver = false;

  function close(): void {
    for (const end of open) end();
    open = [];
  }

  function soon(): void {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(() => void readAgain(), settledMs);
  }

  async function readAgain(): Promise<void> {
    watchAll(); // before the folder is read: what is saved meanwhile is read once more
    await reload().catch(onFault);
  }

  function watchAll(): void {
    close();
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      const folders = readdirSync(dir, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [join(dir, entry.name)] : []));
      open = [dir, ...folders].map((folder) => {
        const watcher = watch(folder, { persistent: false }, soon).on('error', onFault);
        return () => watcher.close();
      });
    } catch (fault) {
      onFault(fault);
    }
  }

  watchAll();
  return {
    dispose() {
      isOver = true;
      clearTimeout(timer);
      close();
    },
  };
}
