// Builds a server's environment variables: those that programs need for paths and temporary files, and those of its entry. No other variable of this process is
// passed on.
import { homedir } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';

const passedOn =
  process.platform === 'win32' ? ['PATH', 'SYSTEMROOT', 'WINDIR', 'COMSPEC', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'TEMP', 'TMP'] : ['LANG'];

/** @param own variables of the entry, which take precedence */
export function serverEnvironment(environment: Readonly<Record<string, string | undefined>>, own: Readonly<Record<string, string>>): Record<string, string> {
  const result: Record<string, string> = { PATH: absoluteFolders(environment['PATH']), HOME: environment['HOME'] ?? homedir() };
  for (const name of passedOn) {
    const value = environment[name];
    if (value !== undefined && name !== 'PATH') result[name] = value;
  }
  return { ...result, ...own };
}

/** Removes relative folders from PATH, because with them a workspace could decide which program starts. */
function absoluteFolders(path = '/usr/local/bin:/usr/bin:/bin'): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter);
}
