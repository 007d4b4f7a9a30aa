// Fetches the newest commit of a Git repository, without hooks, submodules, filters, prompts or history.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { failure } from '#lib/errors';
import { textEnd, textStart } from '#lib/text';
import { pluginFiles } from '../packs/plugin-files.ts';
import type { Fetched } from './fetched.ts';

const longestMs = 120_000;
const quiet = [
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'protocol.ext.allow=never', '-c', 'core.symlinks=false', '-c', 'core.fsmonitor=false'],
  ...['-c', 'filter.lfs.smudge=', '-c', 'filter.lfs.process=', '-c', 'filter.lfs.required=false', '-c', 'submodule.recurse=false'],
];

/** @param address address of the repository, followed by `#branch` or `#tag` */
export async function fetchGit(address: string, signal?: AbortSignal): Promise<Fetched> {
  const [, url = '', branch] = /^([^#]+)(?:#([\w./-]+))?$/.exec(address) ?? [];
  if (!/^(https:\/\/|ssh:\/\/|git@[\w.-]+:|file:\/\/\/|\/)/.test(url) || branch?.startsWith('-') === true) {
    throw failure(`'${textStart(address, 300)}' is not an address of a repository; it must begin with https://, ssh:// or git@`);
  }
  const place = await mkdtemp(join(tmpdir(), 'plugin-git-'));
  const folder = join(place, 'clone');
  // Passes only the environment variables that the connection needs.
  const { PATH, HOME, SSH_AUTH_SOCK, https_proxy, HTTPS_PROXY } = process.env;
  const env = { PATH, HOME, SSH_AUTH_SOCK, https_proxy, HTTPS_PROXY, GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'https:ssh:file', GIT_LFS_SKIP_SMUDGE: '1' };
  const git = async (...argv: string[]): Promise<string> => {
    const options = { env, timeout: longestMs, maxBuffer: 1_000_000, ...(signal ? { signal } : {}) };
    const { stdout } = await promisify(execFile)('git', argv, options).catch((fault: { readonly stderr?: string; readonly code?: unknown }) => {
      const why = fault.code === 'ENOENT' ? 'git is not installed.' : textEnd((fault.stderr ?? '').trim(), 300);
      throw failure(`The repository could not be fetched: ${why}`);
    });
    return stdout.trim();
  };
  try {
    const depth = ['--depth', '1', '--no-tags', '--single-branch', '--no-recurse-submodules', '--template='];
    await git(...quiet, 'clone', '--quiet', ...depth, ...(branch === undefined ? [] : ['--branch', branch]), '--', url, folder);
    const commit = await git(...quiet, '-C', folder, 'rev-parse', 'HEAD');
    const usualName = /([^/:]+?)(?:\.git)?\/?$/.exec(url)?.[1] ?? '';
    return { files: await pluginFiles(folder), source: `git:${address}`, resolved: `git:${url}#${commit}`, usualName, hasCoolDown: false };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
