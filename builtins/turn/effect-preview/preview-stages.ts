// Names and removes preview stages, including those of killed processes.
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '#lib/errors';

/** Returns the name of a stage. It contains a unique identifier of the process, because process ids are reused. */
export function stageName(count: number): string {
  return `${process.pid}.${ticksAtStart(process.pid)}.${count}`;
}

/** Returns the stages of processes that have exited, as absolute paths. @param stages path of their parent folder */
export function listStages(stages: string): string[] {
  return namesIn(stages).flatMap((name) => {
    const [pid = '', start = ''] = name.split('.');
    return start === '' || ticksAtStart(Number(pid)) !== start ? [join(stages, name)] : [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // there are no stages
  }
}

export async function removeStage(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (fault) {
    if (!hasCode(fault, 'EACCES', 'EPERM', 'ENOTEMPTY')) throw fault;
    // A command may have removed access rights from the stage's folders.
    await openFolders(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) if (entry.isDirectory()) await openFolders(join(folder, entry.name));
}

/** Returns the start time of a process in ticks since boot; an empty string if there is no such process. */
function ticksAtStart(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
