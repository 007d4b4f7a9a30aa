// Watches a file for its creation, changes and replacement.
import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Watches a file; returns the function that stops the watch. Watches its folder, because a rename replaces the file. */
export function watchFile(path: string, onChange: () => void): () => void {
  const name = basename(path);
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_, changed) => {
      if (changed === null || changed === name) onChange();
    });
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined; // some file systems cannot be watched; the next start detects the change
  }
}
