// How stages are called, and that none stays: neither of this process nor of one that was killed.
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from 'agent-harness/lib/errors';

/** Names the process for good: a number alone is given again. */
export function stageName(count: number): string {
  return `${process.pid}.${ticksAtStart(process.pid)}.${count}`;
}

/** Those of processes that are gone: absolute. @param stages the folder in which they lie */
export function leftStages(stages: string): string[] {
  return namesIn(stages).flatMap((name) => {
    const [pid = '', start = ''] = name.split('.');
    return start === '' || ticksAtStart(Number(pid)) !== start ? [join(stages, name)] : [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // there never was one
  }
}

export async function removeStage(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (fault) {
    if (!hasCode(fault, 'EACCES', 'EPERM', 'ENOTEMPTY')) throw fault;
    // A command may forbid everybody to look into its folders.
    await openFolders(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) if (entry.isDirectory()) await openFolders(join(folder, entry.name));
}

/** In ticks since the machine started; empty where there is no such process. */
function ticksAtStart(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
