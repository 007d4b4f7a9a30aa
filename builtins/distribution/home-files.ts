// Reads the files of the home folder that are required before any plugin is loaded.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse as parseDotenv } from 'dotenv';
import type { PreferencesFile } from 'agent-harness/plugins/settings';

/** Leaves an invalid file for the `settings` plugin to move aside and report. */
export async function readPreferences(path: string): Promise<PreferencesFile> {
  try {
    const parsed: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/** Synchronous, because it runs before each turn and the file is usually missing; the thread pool would take longer. */
export function readDotenv(path: string): Record<string, string> {
  try {
    return parseDotenv(readFileSync(path));
  } catch {
    return {};
  }
}
