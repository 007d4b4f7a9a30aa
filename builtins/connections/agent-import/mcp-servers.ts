// Parses MCP servers in the format of other agents' files: by name, with a command or a URL.
import type { ForeignServer } from './foreign.ts';
import { isTextRecord, recordOf, textIn, textList, type Fields } from './texts.ts';

/** @param cwd working folder of the commands, if known */
export function namedServers(entries: Fields, file: string, cwd?: string): ForeignServer[] {
  return Object.entries(entries).flatMap(([name, entry]) => serverOf(name, recordOf(entry), file, cwd) ?? []);
}

function serverOf(given: string, entry: Fields, file: string, cwd: string | undefined): ForeignServer | undefined {
  const name = nameOf(given);
  const command = textIn(entry, 'command');
  const url = textIn(entry, 'url');
  if (name === '' || entry['enabled'] === false || entry['disabled'] === true) return undefined;
  if (command !== undefined) {
    const env = isTextRecord(entry['env']) ? { env: entry['env'] } : {};
    const folder = textIn(entry, 'cwd') ?? cwd;
    return { name, file, command, args: textList(entry['args']), ...env, ...(folder === undefined ? {} : { cwd: folder }) };
  }
  if (url === undefined) return undefined;
  return { name, file, url, ...(isTextRecord(entry['headers']) ? { headers: entry['headers'] } : {}) };
}

/** Converts a name to the required format: lower case, starting with a letter. */
function nameOf(given: string): string {
  return given
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 32);
}
