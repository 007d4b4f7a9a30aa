// Records running browsers, and ends browsers whose servers ended unexpectedly.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { hasCode } from '#lib/errors';
import { endProcessesOf } from '#lib/folder-processes';
import { recordIn } from '#lib/values';

/** A running browser, as stored in `<record folder>/<name of its folder>.json`. */
interface BrowserRecord {
  /** Absolute path of the folder with the profile and all other files of the browser. */
  readonly folder: string;
  /** Process id and start time of the server, as reported by the system. */
  readonly ownerPid: number;
  readonly ownerStart: string;
}

export const profileOf = (folder: string): string => join(folder, 'profile');

export async function writeRecord(recordFolder: string, folder: string): Promise<void> {
  await mkdir(recordFolder, { recursive: true, mode: 0o700 });
  const record: BrowserRecord = { folder, ownerPid: process.pid, ownerStart: await startOf(process.pid) };
  await writeFile(recordPath(recordFolder, folder), JSON.stringify(record), { mode: 0o600 });
}

export async function removeRecord(recordFolder: string, folder: string): Promise<void> {
  await rm(recordPath(recordFolder, folder), { force: true });
}

/**
 * Ends leftover browsers. Accesses only folders in the temporary folder whose names have the form that this server's code creates.
 * @param prefix prefix of these names
 */
export async function endOrphanedBrowsers(recordFolder: string, prefix: string): Promise<void> {
  const names = await readdir(recordFolder).catch(() => []);
  for (const name of names.filter((one) => /^[\w-]+\.json$/.test(one))) {
    const path = join(recordFolder, name);
    const record = await readRecord(path);
    if (record && (await isRunning(record))) continue;
    if (record && dirname(record.folder) === tmpdir() && basename(record.folder) === name.slice(0, -'.json'.length) && name.startsWith(prefix)) {
      await endProcessesOf(record.folder);
      await rm(record.folder, { recursive: true, force: true, maxRetries: 3 });
    }
    await rm(path, { force: true });
  }
}

function recordPath(recordFolder: string, folder: string): string {
  return join(recordFolder, `${basename(folder)}.json`);
}

async function readRecord(path: string): Promise<BrowserRecord | undefined> {
  const { folder, ownerPid, ownerStart } = recordIn(await readFile(path, 'utf8').catch(() => '')) as Partial<BrowserRecord>;
  if (typeof folder !== 'string' || !Number.isInteger(ownerPid) || typeof ownerStart !== 'string') return undefined;
  return { folder, ownerPid: ownerPid as number, ownerStart };
}

async function isRunning({ ownerPid, ownerStart }: BrowserRecord): Promise<boolean> {
  try {
    process.kill(ownerPid, 0);
  } catch (fault) {
    if (!hasCode(fault, 'EPERM')) return false;
  }
  return (await startOf(ownerPid)) === ownerStart;
}

/** Returns field 22 of `/proc/<pid>/stat`, the start time, which reveals a reused process id. Returns an empty text for a missing file or a zombie process. */
async function startOf(pid: number): Promise<string> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? '' : (fields[18] ?? '');
  } catch {
    return '';
  }
}
