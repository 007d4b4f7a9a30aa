// What is being applied, noted beside its stage: a process that is killed in the middle leaves enough for the next one to bring it to its end.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from 'agent-harness/lib/errors';
import type { CheckpointContext, Checkpoints } from 'agent-harness/builtins/turn/checkpoints';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import { apartFromNames, applyChanges, inFolderOf, isAsItWas, unfinishedName } from './apply-changes.ts';
import { uppers } from './stage.ts';
import { factsAt, type Facts, type TreeChange } from './tree-changes.ts';

/** All that an application needs beside the stage. */
export interface Application {
  readonly context: CheckpointContext;
  /** Absolute, real. */
  readonly workspace: string;
  readonly tmp: string;
  /** See `ApplyParts.mark`. */
  readonly mark: string;
  readonly changes: readonly TreeChange[];
  readonly tmpChanges: readonly TreeChange[];
}

export interface EndedApplication {
  readonly context: CheckpointContext;
  /** Nothing of it had been done, and nothing is. */
  readonly isNothing?: true;
  /** How many files and folders it changes in all. */
  readonly count: number;
  /** Changed by others since the kill, and left alone. */
  readonly left: readonly string[];
}

const [noted, begun] = ['noted.json', 'begun.json'];

/** It is about to be recorded. Not flushed: the death of the process keeps it, and after a power cut nobody knows what of the stage is there. */
export function noteApplication(folder: string, application: Application): void {
  writeFileSync(
    join(folder, noted),
    JSON.stringify(application, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    { mode: 0o600 },
  );
}

/** It is recorded: from here on it comes to its end, whatever becomes of this process. */
export function beginApplication(folder: string): void {
  renameSync(join(folder, noted), join(folder, begun));
}

/** Ends what a process that is gone had begun. `undefined`: it had not come to that. */
export async function endApplication(
  folder: string,
  services: { readonly exactFiles: ExactFiles; readonly checkpoints: Pick<Checkpoints, 'cancel'> },
): Promise<EndedApplication | undefined> {
  const applied = readNote(join(folder, begun));
  if (applied) {
    const { context, workspace, tmp, mark, changes, tmpChanges } = applied;
    const { exactFiles } = services;
    const left = await bringToEnd(changes, { from: join(folder, uppers.workspace), to: workspace, exactFiles, mark });
    await bringToEnd(tmpChanges, { from: join(folder, uppers.tmp), to: tmp, exactFiles, mark }).catch(() => undefined); // nobody but its commands has it
    return { context, count: changes.length, left };
  }
  const known = readNote(join(folder, noted));
  if (!known) return undefined;
  const { context, workspace, changes } = known;
  // It may have been recorded in the moment before.
  for (const { path, before, after } of changes)
    if (before?.kind === 'file' || after?.kind === 'file') await services.checkpoints.cancel(context, join(workspace, path));
  return { context, isNothing: true, count: changes.length, left: [] };
}

/** One that is cut off was not begun. */
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

interface EndParts {
  readonly from: string;
  readonly to: string;
  readonly exactFiles: ExactFiles;
  readonly mark: string;
}

/** What stands at paths before and afterwards, of all changes. */
interface Ends {
  readonly gone: ReadonlyMap<string, Facts>;
  readonly comes: ReadonlySet<string>;
}

/** Answers what somebody else changed since, and is left alone. */
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

/** What is still to be done of a change. */
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
    // Its folder is not there: it went, or is one of those that are made. Else it is another one by now.
    if (!after && (isMissing(fault) || gone.has(dirname(path)))) return 'made';
    if (after && !before && comes.has(dirname(path))) return change;
    return 'left';
  }
  const isUntouched = (facts: Facts | undefined): boolean => facts !== undefined && isAsItWas(facts, apartFromNames(facts, now));
  if (!after) {
    if (!now) return 'made';
    if (isUntouched(before)) return now.kind === 'folder' && hasOthers(place, path, gone, exactFiles) ? 'left' : change;
    // What comes in its place is there already.
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
