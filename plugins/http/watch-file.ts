// Tells when a file of a folder was replaced.
import { watch } from 'node:fs';

/** Watches the folder, because a file that is replaced by a rename is another file afterwards. Answers how to stop. */
export function watchFile(folder: string, name: string, onChange: () => void): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, (_, changed) => {
      if (changed === null || changed === name) onChange();
    });
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined; // some file systems cannot be watched; the change is seen at the next start
  }
}
