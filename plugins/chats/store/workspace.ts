// Validates the workspace folder of a chat, and computes a fingerprint that is equal for all clones of a repository.
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';

/** Maximum size in bytes of a file in `.git`; larger files are not read. */
const maxGitFile = 1024 * 1024;

/** Returns the real path of an existing directory, or a sentence with the reason why it cannot be used. */
export async function checkFolder(path: string): Promise<{ readonly folder: string } | { readonly why: string }> {
  if (!isAbsolute(path)) return { why: `workspaceRoot must be an absolute path, but is '${path}'.` };
  try {
    const folder = await realpath(path);
    return (await stat(folder)).isDirectory() ? { folder } : { why: `'${path}' is not a folder.` };
  } catch {
    return { why: `The folder '${path}' does not exist or cannot be read.` };
  }
}

type ReadSmall = ExactFiles['readSmall'];

/** Returns `git:host/owner/repo` from the git remote, otherwise `path:` and the folder. */
export function fingerprint(folder: string, readSmall: ReadSmall): string {
  const config = readGitConfig(folder, (path) => readSmall(path, maxGitFile));
  const remote = config === undefined ? undefined : remoteUrl(config);
  const name = remote === undefined ? undefined : repositoryName(remote);
  return name === undefined ? `path:${folder}` : `git:${name}`;
}

function readGitConfig(folder: string, read: (path: string) => string | undefined): string | undefined {
  return read(join(folder, '.git', 'config')) ?? readLinkedGitConfig(folder, read);
}

/** Reads the git configuration of a linked worktree or a submodule, where `.git` is a file with the path of the real folder. */
function readLinkedGitConfig(folder: string, read: (path: string) => string | undefined): string | undefined {
  const pointer = /^gitdir: (.+)$/m.exec(read(join(folder, '.git')) ?? '');
  if (!pointer?.[1]) return undefined;
  const gitFolder = resolve(folder, pointer[1].trim());
  const common = read(join(gitFolder, 'commondir'));
  return read(join(common === undefined ? gitFolder : resolve(gitFolder, common.trim()), 'config'));
}

/** Returns the URL of `origin`, otherwise that of the first remote. */
function remoteUrl(config: string): string | undefined {
  let section = '';
  let first: string | undefined;
  for (const line of config.split('\n')) {
    const header = /^\s*\[([^\]]+)\]/.exec(line);
    if (header?.[1]) section = header[1].trim();
    const url = /^\s*url\s*=\s*(\S+)/.exec(line)?.[1];
    if (url === undefined || !section.startsWith('remote ')) continue;
    if (section === 'remote "origin"') return url;
    first ??= url;
  }
  return first;
}

/** Returns `host/owner/repo` for `https://user@host:443/owner/repo.git`, `ssh://git@host/owner/repo` and `git@host:owner/repo.git`. */
export function repositoryName(remote: string): string | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^/:]+)(?::\d+)?\/(.+)$/i.exec(remote);
  const short = /^(?:[^@/:]+@)?([^/:]+):(?!\/\/)(.+)$/.exec(remote);
  const found = url ?? short;
  if (!found?.[1] || !found[2] || /^file:/i.test(remote)) return undefined;
  const path = found[2].replace(/^\/+|\/+$/g, '').replace(/\.git$/i, '');
  return path === '' ? undefined : `${found[1].toLowerCase()}/${path}`;
}
