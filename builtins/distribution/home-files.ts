// Reads the files of the home folder that are needed before any plugin is loaded.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse as parseDotenv } from 'dotenv';
import type { PreferencesFile } from 'agent-harness/plugins/settings';

/** Reads the saved preferences. An invalid file stays in place, because the plugin `settings` quarantines and reports it. */
export async function readPreferences(path: string): Promise<PreferencesFile> {
  try {
    const parsed: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/** Reads a `.env` file. Synchronous, because it runs before each turn and the file is usually missing; the thread pool would take longer. */
export function readDotenv(path: string): Record<string, string> {
  try {
    return parseDotenv(readFileSync(path));
  } catch {
    return {};
  }
}
