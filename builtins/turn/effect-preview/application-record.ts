// Records, next to a preview stage, that its changes are being applied, so that the next process can complete them after a kill.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from '#lib/errors';
import type { CheckpointContext } from 'agent-harness/builtins/turn/checkpoints';
import type { Services } from 'agent-harness/kernel';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import { ignoringNames, applyChanges, inFolderOf, isAsItWas, unfinishedName, type ApplyParts } from './apply-changes.ts';
import { uppers } from './stage.ts';
import { factsAt, type Facts, type TreeChange } from './tree-changes.ts';

/** The data that applying changes needs in addition to the stage. */
export interface Application {
  readonly context: CheckpointContext;
  /** Absolute real path of the workspace. */
  readonly workspace: string;
  readonly tmp: string;
  /** See `ApplyParts.mark`. */
  readonly mark: string;
  readonly changes: readonly TreeChange[];
  readonly tmpChanges: readonly TreeChange[];
}

export interface EndedApplication {
  readonly context: CheckpointContext;
  /** Set if applying the changes had not started; nothing was completed then. */
  readonly isNothing?: true;
  /** Total number of changed files and folders. */
  readonly count: number;
  /** Paths that were left unchanged because others changed them after the kill. */
  readonly left: readonly string[];
}

const [noted, begun] = ['noted.json', 'begun.json'];

/**
 * Stores the data for completing the changes before they are recorded. Not flushed: the file survives the end of the process, and after a power failure the
 * state of the stage is unknown anyway.
 */
export function noteApplication(folder: string, application: Application): void {
  writeFileSync(
    join(folder, noted),
    JSON.stringify(application, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    { mode: 0o600 },
  );
}

/** Marks the changes as recorded: from now on, they are completed even if this process ends. */
export function beginApplication(folder: string): void {
  renameSync(join(folder, noted), join(folder, begun));
}

/** Completes the changes that an ended process started to apply. Returns `undefined` if it had not started. */
export async function endApplication(folder: string, services: EndServices): Promise<EndedApplication | undefined> {
  const applied = readNote(join(folder, begun));
  if (applied) {
    const { context, workspace, tmp, mark, changes, tmpChanges } = applied;
    const { exactFiles } = services;
    const left = await bringToEnd(changes, { from: join(folder, uppers.workspace), to: workspace, exactFiles, mark });
    await bringToEnd(tmpChanges, { from: join(folder, uppers.tmp), to: tmp, exactFiles, mark }).catch(() => undefined); // only commands of this stage use this folder
    return { context, count: changes.length, left };
  }
  const known = readNote(join(folder, noted));
  if (!known) return undefined;
  const { context, workspace, changes } = known;
  // These changes may have been recorded just before the kill.
  for (const { path, before, after } of changes)
    if (before?.kind === 'file' || after?.kind === 'file') await services.checkpoints.cancel(context, join(workspace, path));
  return { context, isNothing: true, count: changes.length, left: [] };
}

/** Reads the stored data; a truncated file means that applying the changes had not started. */
function readNote(path: string): Application | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'), (key, value: unknown) =>
      key === 'mtime' || key === 'ctime' ? BigInt(value as string) : value,
    ) as Application;
  } catch (fault) {
    if (isMissing(fault) || fault instanceof SyntaxError) return undefined;
    throw fault;
  }
}

interface EndServices {
  readonly exactFiles: ExactFiles;
  readonly checkpoints: Pick<Services['checkpoints'], 'cancel'>;
}

type EndParts = Pick<ApplyParts, 'exactFiles' | 'from' | 'mark' | 'to'>;

/** The previous states of the paths to remove, and the paths that exist after the change. */
interface Ends {
  readonly gone: ReadonlyMap<string, Facts>;
  readonly comes: ReadonlySet<string>;
}

/** Completes the changes. Returns the paths that stay unchanged because others changed them. */
async function bringToEnd(changes: readonly TreeChange[], parts: EndParts): Promise<string[]> {
  const [toDo, made, left]: [TreeChange[], TreeChange[], string[]] = [[], [], []];
  const ends: Ends = {
    gone: new Map(changes.flatMap(({ path, before, after }) => (before && !after ? [[path, before] as const] : []))),
    comes: new Set(changes.flatMap(({ path, after }) => (after ? [path] : []))),
  };
  for (const change of changes) {
    const step = await stepOf(change, parts, ends);
    if (step === 'left') left.push(change.path);
    else if (step === 'made') made.push(change);
    else toDo.push(step);
  }
  await applyChanges(toDo, { ...parts, made });
  return left;
}

/** Returns the remaining step of a change, `made` if none remains, or `left` if others changed the path. */
async function stepOf(change: TreeChange, parts: EndParts, { gone, comes }: Ends): Promise<TreeChange | 'made' | 'left'> {
  const { path, before, after, hasSameContent } = change;
  const { from, to, exactFiles, mark } = parts;
  const place = join(to, path);
  let now: Facts | undefined;
  try {
    now = await inFolderOf(place, exactFiles, async (at) => {
      rmSync(join(dirname(at), unfinishedName(mark, path)), { force: true });
      return factsAt(at, path);
    });
  } catch (fault) {
    // The folder is missing because it was removed or is about to be created; otherwise the path was changed in the meantime.
    if (!after && (isMissing(fault) || gone.has(dirname(path)))) return 'made';
    if (after && !before && comes.has(dirname(path))) return change;
    return 'left';
  }
  const isUntouched = (facts: Facts | undefined): boolean => facts !== undefined && isAsItWas(facts, ignoringNames(facts, now));
  if (!after) {
    if (!now) return 'made';
    if (isUntouched(before)) return now.kind === 'folder' && hasOthers(place, path, gone, exactFiles) ? 'left' : change;
    // The replacement already exists.
    return comes.has(path) ? 'made' : 'left';
  }
  if (!now) return before && (before.kind === 'folder' || after.kind !== 'folder') ? 'left' : { path, after };
  if (isUntouched(before) || (!before && isUntouched(gone.get(path)))) return change;
  if (now.kind !== after.kind) return 'left';
  if (after.kind === 'folder') return { path, before: now, after };
  if (after.kind === 'link') return now.target === after.target ? 'made' : 'left';
  if (hasSameContent && before) return now.id === before.id && now.size === before.size ? change : 'left';
  return now.size === after.size && (await readFile(join(from, path))).equals(await readFile(place)) ? 'made' : 'left';
}

function hasOthers(place: string, path: string, gone: Ends['gone'], exactFiles: ExactFiles): boolean {
  return exactFiles.list(place).some(({ name }) => !gone.has(`${path}/${name}`));
}
