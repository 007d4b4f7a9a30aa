// Creates a preview stage: overlays of the workspace and /tmp in which a command runs. What the command writes stays in the stage and is removed with it.
import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, lstat, mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandStage } from 'agent-harness/builtins/tools/shell';
import { isWithin } from '#lib/paths';
import { firstLine } from '#lib/text';
import type { Processes } from 'agent-harness/plugins/processes';
import { removeStage, stageName } from './preview-stages.ts';

/** A folder in its original and its changed form; all paths are absolute. */
export interface Layer {
  readonly base: string;
  /** Path of the folder that contains only the changes. */
  readonly upper: string;
  /** Path of the combined view, which this process can access as long as the stage exists. */
  readonly merged: string;
}

export interface Stage {
  /** Absolute path of the stage, which may contain further notes. */
  readonly folder: string;
  readonly command: CommandStage;
  readonly workspace: Layer;
  readonly tmp: Layer;
  /** Start time in file-system time, in nanoseconds since 1970. The command did not see later changes. */
  readonly since: bigint;
  /** Removes the stage completely. May be called several times. */
  drop(): Promise<void>;
}

export interface StageParts {
  /** Absolute path of the parent folder of stages. */
  readonly stages: string;
  readonly processes: Processes;
  /** Number of the stage in this process. */
  readonly count: number;
}

/** Mounts the overlays. Paths with special characters are safe, because the mount options contain only the stage's own folder. */
const script = `cd "$1" || exit 1
for one in work tmp; do
  shift
  mount --rbind "$1" $one/lower &&
  mount -t overlay overlay -o lowerdir=$one/lower,upperdir=$one/upper,workdir=$one/work,userxattr $one/merged || exit 1
done
echo ready
read -r _`;
/** Folders of the stage that contain the written content, relative to the stage. */
export const uppers = { workspace: 'work/upper', tmp: 'tmp/upper' } as const;
const startMs = 10_000;
const parts = ['lower', 'upper', 'work', 'merged'] as const;

/** Opens a stage. Rejects with a sentence if this machine does not support overlays for the server's user. @param workspace real path @param tmp real path */
export async function openStage(workspace: string, tmp: string, { stages, processes, count }: StageParts): Promise<Stage> {
  const mounts = await mountsBelow(workspace);
  if (mounts !== undefined) throw new Error(`Another file system is mounted in the workspace, at ${mounts}.`);
  const folder = join(stages, stageName(count));
  await Promise.all(['work', 'tmp'].map((one) => mkdir(join(folder, one), { recursive: true, mode: 0o700 })));
  let holder: ChildProcess | undefined;
  const drop = async (): Promise<void> => {
    await endHolder(holder);
    await removeStage(folder);
  };
  try {
    await Promise.all(['work', 'tmp'].flatMap((one) => parts.map((part) => mkdir(join(folder, one, part)))));
    await Promise.all([likeBase(workspace, join(folder, uppers.workspace)), likeBase(tmp, join(folder, uppers.tmp))]);
    const marker = join(folder, 'since');
    await writeFile(marker, '');
    const since = (await lstat(marker, { bigint: true })).ctimeNs;
    holder = spawn('unshare', ['-Urm', 'sh', '-c', script, 'sh', folder, workspace, tmp], {
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin:/usr/sbin:/sbin', ...processes.createMark().environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    await isReady(holder);
    const { pid } = holder;
    const seen = (path: string): string => `/proc/${pid}/root${join(folder, path)}`;
    return {
      folder,
      command: {
        enter: ['nsenter', '-U', '-m', '--preserve-credentials', '-t', String(pid), '--'],
        ...{ workspace: join(folder, 'work/merged'), tmp: join(folder, 'tmp/merged'), seen: seen('work/merged') },
      },
      workspace: { base: workspace, upper: join(folder, uppers.workspace), merged: seen('work/merged') },
      tmp: { base: tmp, upper: join(folder, uppers.tmp), merged: seen('tmp/merged') },
      since,
      drop,
    };
  } catch (fault) {
    await drop();
    throw fault;
  }
}

/** Copies mode and times to the upper folder, because they determine those of the merged folder. */
async function likeBase(base: string, upper: string): Promise<void> {
  const { mode, atime, mtime } = await stat(base);
  await chmod(upper, mode & 0o7777);
  await utimes(upper, atime, mtime);
}

/** Resolves when the mounts exist. They belong to a separate process, which ends when this process closes its input by exiting. */
function isReady(holder: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (why: string): void => reject(new Error(`This machine does not support overlays for the preview: ${firstLine(why) || 'the mount failed.'}`));
    const limit = setTimeout(() => fail('it took too long.'), startMs);
    holder.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    holder.stdout?.once('data', () => {
      clearTimeout(limit);
      resolve();
    });
    holder.stdin?.on('error', () => undefined);
    holder.once('error', (fault) => fail(fault.message));
    holder.once('close', () => {
      clearTimeout(limit);
      fail(said);
    });
  });
}

async function endHolder(holder: ChildProcess | undefined): Promise<void> {
  if (!holder || holder.pid === undefined || holder.exitCode !== null || holder.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => holder.once('exit', () => resolve()));
  holder.kill('SIGKILL');
  await gone;
}

/** Returns a mount inside the workspace, which a copy would lack; `undefined` if there is none. */
async function mountsBelow(workspace: string): Promise<string | undefined> {
  const table = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const paths = table.split('\n').map((line) => (line.split(' ')[4] ?? '').replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(parseInt(code, 8))));
  return paths.find((path) => path !== workspace && path !== '' && isWithin(workspace, path));
}
