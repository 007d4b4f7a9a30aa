// Finds bubblewrap and tests it once, because a kernel or a container may forbid it.
import { execFile } from 'node:child_process';
import { access, constants, realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { isWithin } from './paths.ts';
import { firstLine } from './text.ts';

/**
 * Arguments that all command sandboxes and the test share. Without `--new-session`, because the command already has a session and is terminated as a process
 * group.
 */
export const sandboxArgs: readonly string[] = [
  ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent', '--cap-drop', 'ALL'],
  ...['--ro-bind', '/', '/'],
];
/** Arguments that mount the sandbox's own /dev and /proc. They must come last, because a workspace may be the whole file system. */
export const systemMountArgs: readonly string[] = ['--dev', '/dev', '--proc', '/proc'];

/** The real path of a working bubblewrap, or the reason, as a sentence, why there is none. */
export type Probed = { readonly program: string } | { readonly why: string };

const limitMs = 10_000;

/**
 * Finds and tests the first `bwrap`.
 * @param path list of folders in the format of `PATH`
 * @param workspace real path of the workspace, which is excluded because an earlier command may have written a `bwrap` there
 */
export async function findBubblewrap(path: string, workspace: string): Promise<Probed> {
  if (process.platform !== 'linux') return { why: 'The sandbox needs Linux.' };
  let why = 'bubblewrap (bwrap) is not installed.';
  for (const folder of path.split(delimiter).filter((one) => isAbsolute(one))) {
    const program = await executable(join(folder, 'bwrap'));
    if (program === undefined) continue;
    if (!isWithin(workspace, program)) return { program };
    why = 'The only bwrap in PATH is inside the workspace, which is not trusted.';
  }
  return { why };
}

/** Runs the program once as a test. */
export async function tryBubblewrap(program: string): Promise<Probed> {
  const fault = await faultOf(program);
  return fault === undefined ? { program } : { why: `bubblewrap does not work on this machine: ${fault}` };
}

async function executable(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK);
    return await realpath(path);
  } catch {
    return undefined; // missing or not executable
  }
}

function faultOf(program: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const args = ['--unshare-net', ...sandboxArgs, ...systemMountArgs, '--tmpfs', '/tmp', '--', '/bin/sh', '-c', ':'];
    execFile(program, args, { timeout: limitMs, killSignal: 'SIGKILL', env: {}, cwd: '/' }, (fault, _, stderr) => {
      resolve(fault ? firstLine(stderr) || fault.message : undefined);
    });
  });
}
