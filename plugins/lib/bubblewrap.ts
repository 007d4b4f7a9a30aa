// Finds bubblewrap and tests it once, because a kernel or a container may forbid it.
import { execFile } from 'node:child_process';
import { access, constants, realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { isWithin } from './paths.ts';
import { firstLine } from './text.ts';

/** Arguments of each command sandbox, and of the test. No new session: the command already has one, and ends as its group. */
export const walls: readonly string[] = [
  ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent', '--cap-drop', 'ALL'],
  ...['--ro-bind', '/', '/'],
];
/** Mounted last, because a workspace may be the whole file system. */
export const ownSystem: readonly string[] = ['--dev', '/dev', '--proc', '/proc'];

/** The real path of a working program, or a sentence with the reason if there is none. */
export type Probed = { readonly program: string } | { readonly why: string };

const limitMs = 10_000;

/**
 * Returns the real path of the first `bwrap`.
 * @param path in the format of `PATH` @param workspace real path; excluded, because an earlier command may have written there
 */
export async function findBubblewrap(path: string, workspace: string): Promise<Probed> {
  if (process.platform !== 'linux') return { why: 'The sandbox needs Linux.' };
  let why = 'bubblewrap (bwrap) is not installed.';
  for (const folder of path.split(delimiter).filter((one) => isAbsolute(one))) {
    const program = await executable(join(folder, 'bwrap'));
    if (program === undefined) continue;
    if (!isWithin(workspace, program)) return { program };
    why = 'The only bwrap in PATH lies in the workspace.';
  }
  return { why };
}

/** Runs the program once as a test. */
export async function tryBubblewrap(program: string): Promise<Probed> {
  const fault = await faultOf(program);
  return fault === undefined ? { program } : { why: `bubblewrap does not work here: ${fault}` };
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
    const args = ['--unshare-net', ...walls, ...ownSystem, '--tmpfs', '/tmp', '--', '/bin/sh', '-c', ':'];
    execFile(program, args, { timeout: limitMs, killSignal: 'SIGKILL', env: {}, cwd: '/' }, (fault, _, stderr) => {
      resolve(fault ? firstLine(stderr) || fault.message : undefined);
    });
  });
}
