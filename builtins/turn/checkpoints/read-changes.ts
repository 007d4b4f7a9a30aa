// Builds the list of changes for clients: line counts, diffs, and later changes by others.
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { ChangedFile, ChangedState, ChangesReply, UndoPlace } from './contract.ts';
import { compareContents, isBinary, type Difference } from './file-diff.ts';
import { readState as readFileState } from './file-state.ts';
import type { NetChange } from './list-changes.ts';
import type { KeptObjects } from './objects.ts';
import { isStateId, partsOfId, type Places } from './places.ts';
import { createStepPlanner } from './plan-steps.ts';

/** Maximum number of listed files; further ones are only counted. */
const maxFiles = 200;
/** Time limit in milliseconds for all files; later files are listed without line counts. */
const budgetMs = 2_000;

export interface ReadChangesParts {
  readonly place: UndoPlace;
  readonly exactFiles: ExactFiles;
  readonly places: Places;
  readonly objects: KeptObjects;
}

/** @param path display path or absolute path of the only requested file, whose diff the reply then contains */
export async function readChanges(all: readonly NetChange[], path: string | undefined, parts: ReadChangesParts): Promise<Omit<ChangesReply, 'outside'>> {
  const until = performance.now() + budgetMs;
  const shown = (one: string): string => parts.places.shown(parts.place, one);
  const changes = all.filter((change) => !isStateId(change.path));
  const wanted = path === undefined ? changes : changes.filter((change) => change.path === path || shown(change.path) === path);
  const files: ChangedFile[] = [];
  let wholeFile: Pick<ChangesReply, 'diff' | 'hunks'> = {};
  for (const change of wanted.slice(0, maxFiles)) {
    const { contents, hasConflict, isHuge } = await readContents(change, parts);
    const names = { before: change.before === null ? undefined : shown(change.from ?? change.path), after: shown(change.path) };
    const found = contents && performance.now() < until ? await compare(contents, names) : undefined;
    if (path !== undefined && found) wholeFile = { diff: found.diff, hunks: canSplit(change) && !hasConflict ? found.hunks : [] };
    const binary = isHuge || contents === undefined ? false : contents.some((content) => content !== null && isBinary(content));
    files.push({
      path: shown(change.path),
      ...(change.from === undefined ? {} : { from: shown(change.from) }),
      kind: kindOf(change),
      added: found?.added ?? null,
      removed: found?.removed ?? null,
      undone: change.isUndone,
      conflict: hasConflict,
      ...(hasConflict ? { canMerge: performance.now() < until && (await canUndo(change, parts)) } : {}),
      binary,
      turnId: change.turnId,
      at: change.at,
    });
  }
  const state = path === undefined ? await readState(all.filter((change) => isStateId(change.path)).slice(0, maxFiles), parts) : [];
  return { files, state, more: Math.max(0, wanted.length - maxFiles), ...wholeFile };
}

/** Returns whether an undo would revert the change and keep later changes. */
async function canUndo({ restore }: NetChange, { place, places, objects }: ReadChangesParts): Promise<boolean> {
  const { conflicts } = await createStepPlanner(place, places, objects, { mayKeep: false }).plan([restore]);
  return conflicts.length === 0;
}

async function readState(changes: readonly NetChange[], parts: ReadChangesParts): Promise<ChangedState[]> {
  const rows: ChangedState[] = [];
  for (const change of changes) {
    const { path, label, before, after, isUndone, turnId, at } = change;
    const state = await parts.places.read(parts.place, path);
    const conflict = !isUndone && (state.kind === 'other' || change.restore.isInterrupted || (state.kind === 'file' ? state.hash : null) !== after);
    rows.push({
      ...{ id: path, kind: partsOfId(path).name, label: parts.places.shown(parts.place, path, label) },
      change: before === null ? 'added' : after === null ? 'deleted' : 'edited',
      ...{ undone: isUndone, conflict, turnId, at },
      ...(conflict ? { canMerge: await canUndo(change, parts) } : {}),
    });
  }
  return rows;
}

/** Returns whether parts of the change can be undone. This requires an effective change of an existing file that was not moved. */
export function canSplit({ isUndone, from, before, after }: NetChange): boolean {
  return !isUndone && from === undefined && before !== null && after !== null;
}

type Contents = readonly [before: Buffer | null, after: Buffer | null];

/** Reads the contents before and after a change. If the content after the change is neither current nor stored, the current content is used. */
async function readContents(
  change: NetChange,
  parts: ReadChangesParts,
): Promise<{ readonly contents: Contents | undefined; readonly hasConflict: boolean; readonly isHuge: boolean }> {
  const state = await readFileState(change.path, parts.exactFiles);
  const now = state.kind === 'file' ? state.hash : null;
  const hasConflict = !change.isUndone && (state.kind === 'other' || now !== change.after);
  const before = change.before === null ? null : await keptContent(change.before, parts);
  const current = state.kind === 'file' ? state.content : null;
  const after =
    change.after === null ? null : now === change.after ? current : ((await keptContent(change.after, parts)) ?? (hasConflict ? current : undefined));
  const isKnown = before !== undefined && after !== undefined;
  return { contents: isKnown ? [before, after] : undefined, hasConflict, isHuge: state.kind === 'other' };
}

/** Returns the stored content. The content of a file that a tool created is stored only when the next change is made. */
function keptContent(hash: string, { objects, place }: ReadChangesParts): Promise<Buffer | undefined> {
  return objects.read(place.chatId, hash);
}

function compare([before, after]: Contents, names: { readonly before: string | undefined; readonly after: string }): Promise<Difference | undefined> {
  const nothing = Buffer.alloc(0);
  return compareContents(before ?? nothing, after ?? nothing, { before: names.before, after: after === null ? undefined : names.after });
}

function kindOf({ from, before, after }: NetChange): ChangedFile['kind'] {
  if (from !== undefined) return 'moved';
  if (before === null) return 'added';
  return after === null ? 'deleted' : 'edited';
}
