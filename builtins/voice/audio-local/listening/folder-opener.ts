// Provides the temporary folder of transcription programs, and on first use removes files that a killed process left behind.
import { mkdir, rm } from 'node:fs/promises';

export function folderOpener(folder: string): () => Promise<string> {
  let cleared: Promise<void> | undefined;
  return async () => {
    await (cleared ??= rm(folder, { recursive: true, force: true }).catch(() => undefined)); // remaining files are harmless
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  };
}
