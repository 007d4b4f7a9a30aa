// Reloads the folder of the user's own plugins when files in it are added, saved or deleted.
import { existsSync, mkdirSync, readdirSync, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Disposable } from 'agent-harness/kernel';

/** Debounce delay in milliseconds; editors save in several steps. */
const debounceMs = 100;
/** Maximum number of watched folders per plugin. Changes in other folders take effect with the next detected change. */
const maxFolders = 200;

/**
 * Watches the folder, which is created if missing, and all folders in it. Passes the error of a folder that cannot be watched to `onFault`; `app plugins
 * reload` still works. The caller must dispose the result.
 * @param more additional files or folders to watch
 */
export function watchPluginFolder(dir: string, more: readonly string[], reload: () => Promise<unknown>, onFault: (fault: unknown) => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let open: (() => void)[] = [];
  let isOver = false;

  function close(): void {
    for (const end of open) end();
    open = [];
  }

  function soon(): void {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(() => void readAgain(), debounceMs);
  }

  async function readAgain(): Promise<void> {
    watchAll(); // before the folder is read, so that files saved in the meantime are read again
    await reload().catch(onFault);
  }

  function watchAll(): void {
    close();
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      const plugins = [...foldersIn(dir), ...more.filter((path) => existsSync(path)).map((path) => (statSync(path).isDirectory() ? path : dirname(path)))];
      open = [...new Set([dir, ...plugins.flatMap(withFolders)])].map((folder) => {
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

function foldersIn(folder: string): string[] {
  const isWanted = (name: string): boolean => !name.startsWith('.') && name !== 'node_modules';
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() && isWanted(entry.name) ? [join(folder, entry.name)] : []));
}

/** Returns the plugin's folder and all folders inside it. */
function withFolders(plugin: string): string[] {
  const found = [plugin];
  for (const folder of found) if (found.length < maxFolders) found.push(...foldersIn(folder));
  return found;
}
