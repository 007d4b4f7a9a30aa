// The folder for what programs that listen read and write. What a process left there that was killed goes on first use.
import { mkdir, rm } from 'node:fs/promises';

export function folderOpener(folder: string): () => Promise<string> {
  let cleared: Promise<void> | undefined;
  return async () => {
    await (cleared ??= rm(folder, { recursive: true, force: true }).catch(() => undefined)); // what cannot go is in nobody's way
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  };
}
