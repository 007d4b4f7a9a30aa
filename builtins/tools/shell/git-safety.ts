// Whether git runs nothing of a repository's own when it only looks: configuration, hooks and submodules can make it.
import type { Stats } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isWithin } from './command-folder.ts';

/** Settings that name no programs and no other files. */
const harmlessSettings: readonly RegExp[] = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|abbrev|quotepath)$/,
  /^remote\.[^.]*\.(url|fetch|pushurl|tagopt|prune)$/,
  /^branch\..*\.(remote|merge|rebase|description)$/,
  /^user\.(name|email)$/,
  /^(pull|push|init)\.[a-z]+$/,
];
/** Of a folder that git takes for a repository without a working tree. */
const bareParts = ['HEAD', 'objects', 'refs'];

/** @param cwd real path of a folder in the workspace `root` */
export async function isGitHarmless(cwd: string, root: string): Promise<boolean> {
  for (let folder = cwd; isWithin(root, folder); folder = dirname(folder)) {
    const git = await statOf(join(folder, '.git'));
    if (git) return git.isDirectory() && (await isRepositoryHarmless(folder));
    const parts = await Promise.all(bareParts.map((part) => statOf(join(folder, part))));
    if (parts.every((part) => part !== undefined)) return false;
    if (dirname(folder) === folder) break;
  }
  // A repository around the workspace would show files from outside of it.
  return false;
}

async function isRepositoryHarmless(folder: string): Promise<boolean> {
  const suspects = ['.gitmodules', '.git/commondir', '.git/config.worktree', '.git/hooks/post-index-change'];
  const found = await Promise.all(suspects.map((suspect) => statOf(join(folder, suspect))));
  if (found.some((one) => one !== undefined)) return false;
  const config = await readFile(join(folder, '.git', 'config'), 'utf8').catch(() => undefined);
  return config !== undefined && settingsOf(config)?.every((name) => harmlessSettings.some((harmless) => harmless.test(name))) === true;
}

/** Names as `section.subsection.key`; `undefined` where a line is not understood. */
function settingsOf(config: string): string[] | undefined {
  const names: string[] = [];
  let section: string | undefined;
  for (const raw of config.split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const header = /^\[([A-Za-z0-9.-]+)(?:\s+"([^"\\]*)")?\]$/.exec(line);
    const setting = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=[^\\]*)?$/.exec(line);
    if (header) section = [header[1]?.toLowerCase(), ...(header[2] === undefined ? [] : [header[2]])].join('.');
    else if (setting && section !== undefined) names.push(`${section}.${setting[1]?.toLowerCase()}`);
    else return undefined;
  }
  return names;
}

async function statOf(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}
