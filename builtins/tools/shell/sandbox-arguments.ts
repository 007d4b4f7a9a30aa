// Builds the arguments of bubblewrap: a read-only system, a writable workspace except for files that control other programs, hidden secrets, and no network
// access unless approved.
import { sandboxArgs, systemMountArgs } from '#lib/bubblewrap';
import { isWithin } from '#lib/paths';
import type { GuardedFiles } from './guarded-files.ts';
import type { LinkedRepository } from './linked-repository.ts';
import type { HiddenPath } from './sandbox-paths.ts';

export interface SandboxPlace {
  /** Real path of the workspace, which is the only writable folder besides `/tmp`. */
  readonly workspace: string;
  /** Real paths of the folder that is mounted as `/tmp`, and of an empty file. */
  readonly own: { readonly tmp: string; readonly empty: string };
  readonly cwd: string;
  readonly hidden: readonly HiddenPath[];
  /** Guarded files in the workspace. */
  readonly guarded: GuardedFiles;
  readonly network: boolean;
  /** The workspace's repository if it is outside the workspace; it is writable. */
  readonly repository?: LinkedRepository | undefined;
  /** Paths that replace the workspace and `/tmp` in a preview. */
  readonly stage?: { readonly workspace: string; readonly tmp: string } | undefined;
  /** Real paths that are readable although they would otherwise be hidden. */
  readonly readable?: readonly string[];
}

export function sandboxArguments({ workspace, own, cwd, hidden, guarded, network, readable = [], repository, stage }: SandboxPlace): string[] {
  const tmp = stage?.tmp ?? own.tmp;
  const sourceOf = (path: string): string => (stage ? stage.workspace + path.slice(workspace.length) : path);
  const inside = hidden.filter(({ path }) => path !== workspace && isWithin(workspace, path));
  const elsewhere = hidden.filter((one) => !isWithin(workspace, one.path));
  const outside = elsewhere.filter((one) => !elsewhere.some((other) => other !== one && other.isFolder && isWithin(other.path, one.path)));
  const folders = [...outside, ...inside].filter(({ isFolder }) => isFolder);
  const hide = ({ path, isFolder }: HiddenPath): string[] => (isFolder ? ['--tmpfs', path] : ['--ro-bind', own.empty, path]);
  return [
    ...(network ? [] : ['--unshare-net']),
    ...sandboxArgs,
    // A stage maps the user to root; these arguments map the user back.
    ...(stage ? ['--unshare-user', '--uid', String(process.getuid?.()), '--gid', String(process.getgid?.())] : []),
    ...['--bind', tmp, '/tmp', '--bind', tmp, '/var/tmp'],
    ...outside.flatMap(hide),
    ...readable.flatMap((path) => ['--ro-bind-try', path, path]),
    // Mounted after the hidden paths, which may contain the workspace.
    ...['--bind', sourceOf(workspace), workspace],
    ...(repository ? ['--ro-bind', repository.folder, repository.folder] : []),
    ...(repository?.writable ?? []).flatMap((path) => ['--bind-try', path, path]),
    ...(repository?.fixed ?? []).flatMap((path) => ['--ro-bind', path, path]),
    // Mounted because a mount point cannot be moved. A folder may have been removed in the meantime.
    ...guarded.pinned.flatMap((path) => ['--bind-try', sourceOf(path), path]),
    ...guarded.fixed.flatMap((path) => ['--ro-bind-try', sourceOf(path), path]),
    ...inside.flatMap(hide),
    ...systemMountArgs,
    // Anything written there would be silently lost.
    ...folders.flatMap(({ path }) => ['--remount-ro', path]),
    ...['--chdir', cwd, '--'],
  ];
}
