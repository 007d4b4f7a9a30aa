// The arguments of bubblewrap: everything read-only, the workspace writable but for what steers other programs, secrets hidden, no network unless approved.
import { ownSystem, walls } from 'agent-harness/lib/bubblewrap';
import { isWithin } from 'agent-harness/lib/paths';
import type { GuardedFiles } from './guarded-files.ts';
import type { OutsideRepository } from './outside-repository.ts';
import type { HiddenPath } from './sandbox-paths.ts';

export interface SandboxPlace {
  /** Real path; the only folder outside of `/tmp` that can be written. */
  readonly workspace: string;
  /** Real paths of what is `/tmp` inside, and of an empty file. */
  readonly own: { readonly tmp: string; readonly empty: string };
  readonly cwd: string;
  readonly hidden: readonly HiddenPath[];
  /** In the workspace. */
  readonly guarded: GuardedFiles;
  readonly network: boolean;
  /** The repository of the workspace, which lies outside of it and is written to. */
  readonly repository?: OutsideRepository | undefined;
  /** What stands in their place, where the command is only tried. */
  readonly stage?: { readonly workspace: string; readonly tmp: string } | undefined;
  /** Real paths that can be read although they are hidden otherwise. */
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
    ...walls,
    // On a stage everybody is root.
    ...(stage ? ['--unshare-user', '--uid', String(process.getuid?.()), '--gid', String(process.getgid?.())] : []),
    ...['--bind', tmp, '/tmp', '--bind', tmp, '/var/tmp'],
    ...outside.flatMap(hide),
    ...readable.flatMap((path) => ['--ro-bind-try', path, path]),
    // After what is hidden: the workspace may lie in it.
    ...['--bind', sourceOf(workspace), workspace],
    ...(repository ? ['--ro-bind', repository.folder, repository.folder] : []),
    ...(repository?.writable ?? []).flatMap((path) => ['--bind-try', path, path]),
    ...(repository?.fixed ?? []).flatMap((path) => ['--ro-bind', path, path]),
    // A mount cannot be moved away. They may be gone meanwhile.
    ...guarded.pinned.flatMap((path) => ['--bind-try', sourceOf(path), path]),
    ...guarded.fixed.flatMap((path) => ['--ro-bind-try', sourceOf(path), path]),
    ...inside.flatMap(hide),
    ...ownSystem,
    // What is written there would be lost without a word.
    ...folders.flatMap(({ path }) => ['--remount-ro', path]),
    ...['--chdir', cwd, '--'],
  ];
}
