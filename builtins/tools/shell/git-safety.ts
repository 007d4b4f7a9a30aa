// Checks that read-only git commands start no other program (through configuration, hooks or submodules) and follow no links out of the workspace.
import { execFile } from 'node:child_process';
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CommandPlace, CommandReading } from 'agent-harness/builtins/tools/shell';
import { isThere } from '#lib/files';
import { isWithin } from '#lib/paths';
import { commandEnvironment } from './environment.ts';

/** Repository settings that name no program and no other file. */
const harmlessSettings: readonly RegExp[] = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|abbrev|quotepath)$/,
  /^remote\.[^.]*\.(url|fetch|pushurl|tagopt|prune)$/,
  /^branch\..*\.(remote|merge|rebase|description)$/,
  /^user\.(name|email)$/,
  /^(pull|push|init)\.[a-z]+$/,
];
/** User settings that may name programs and that files in the repository can trigger during read-only commands. */
const calledUp = /^(filter\..*\.(clean|smudge|process)|diff\..*\.(textconv|command)|diff\.external|core\.(fsmonitor|hookspath|worktree)|log\.showsignature)$/;
/** Matches the settings that `git lfs install` writes; Git LFS only stores its objects next to those of git. */
const known = /^filter\.lfs\.(clean|smudge|process)\ngit-lfs (clean|smudge|filter-process)( --skip)?( -- %f)?$/;
/** Entries of a folder by which git recognises a bare repository. */
const bareParts = ['HEAD', 'objects', 'refs'];
/** Maximum number of files and folders inside `.git` that are checked; a larger repository needs approval. */
const maxEntries = 50_000;
const limitMs = 5_000;
const maxBytes = 32 * 1024 * 1024;

/** Returns whether git commands are harmless in a place. Contract: never rejects. */
export async function isGitHarmless(place: CommandPlace, reading: CommandReading): Promise<boolean> {
  const folder = await repositoryOf(place);
  if (folder === undefined || !(await reading.isInside(folder, place)) || (await isThere(join(folder, '.gitmodules')))) return false;
  return (await isSelfContained(join(folder, '.git'))) && (await isTaken(folder)) && (await areSettingsHarmless(folder)) && hasNoInner(folder);
}

/**
 * Returns the folder of the repository that git uses; `undefined` if it is bare, or outside the workspace, because git would then read files outside the
 * workspace.
 */
async function repositoryOf({ cwd, root }: CommandPlace): Promise<string | undefined> {
  for (let folder = cwd; isWithin(root, folder); folder = dirname(folder)) {
    if (await isThere(join(folder, '.git'))) return folder;
    const parts = await Promise.all(bareParts.map((part) => isThere(join(folder, part))));
    if (parts.every(Boolean) || dirname(folder) === folder) return undefined;
  }
  return undefined;
}

/** Returns whether the repository contains only folders and files that refer to no other location or program, so that git reads nothing else. */
async function isSelfContained(git: string): Promise<boolean> {
  const others = ['commondir', 'config.worktree', 'hooks/post-index-change', 'objects/info/alternates', 'objects/info/http-alternates'];
  const found = await Promise.all(others.map((name) => isThere(join(git, name))));
  if (found.some(Boolean) || (await lstat(git).then((one) => !one.isDirectory(), () => true))) return false; // prettier-ignore
  const waiting = [git];
  let seen = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries: Dirent[] | undefined = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    seen += entries?.length ?? 0;
    if (!entries?.every((entry) => entry.isFile() || entry.isDirectory()) || seen > maxEntries) return false;
    waiting.push(...entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name)));
  }
  return true;
}

/** Returns whether git uses the folder. Git skips a folder that is not a valid repository, and then searches its parent folders. */
async function isTaken(folder: string): Promise<boolean> {
  return (await askGit(folder, ['rev-parse', '--show-toplevel', '--absolute-git-dir'])) === `${folder}\n${join(folder, '.git')}\n`;
}

/** Checks the effective settings as git reports them, including those of the user and the system. */
async function areSettingsHarmless(folder: string): Promise<boolean> {
  const listed = await askGit(folder, ['config', '--list', '--show-scope', '-z']);
  const fields = listed?.split('\0') ?? [];
  if (fields.length < 2) return false;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const setting = fields[at + 1] ?? '';
    const name = setting.split('\n', 1)[0] ?? '';
    const isOwn = fields[at] === 'local' || fields[at] === 'worktree' || fields[at] === 'command';
    const isHarmless = isOwn ? harmlessSettings.some((harmless) => harmless.test(name)) : !calledUp.test(name) || known.test(setting);
    if (!isHarmless) return false;
  }
  return true;
}

/** Returns whether there are no nested repositories, which git would also read and which have their own settings. */
async function hasNoInner(folder: string): Promise<boolean> {
  const staged = await askGit(folder, ['ls-files', '--stage', '-z']);
  return staged !== undefined && !/(^|\0)160000 /.test(staged);
}

/** Returns the output of git; `undefined` if it fails, takes too long or prints too much. */
function askGit(cwd: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('git', args, { cwd, env: commandEnvironment(process.env, []), timeout: limitMs, maxBuffer: maxBytes }, (fault, printed) =>
      resolve(fault ? undefined : printed),
    );
  });
}
