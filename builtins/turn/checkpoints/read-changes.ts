// What tools changed in files, as clients see it: counted, compared, and whether somebody changed it since.
import { readFile } from 'node:fs/promises';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { ChangedFile, ChangesReply } from './contract.ts';
import { compareContents, isBinary, type Difference } from './file-diff.ts';
import { readState } from './file-state.ts';
import type { NetChange } from './list-changes.ts';

/** More files are counted, but not listed. */
const maxFiles = 200;
/** Milliseconds in all; files after that are listed without their counts. */
const budgetMs = 2_000;

export interface ReadChangesParts {
  readonly exactFiles: ExactFiles;
  /** Where the content of that hash would be kept. */
  objectPath(hash: string): string;
  /** As people see it. */
  shown(path: string): string;
}

/** @param path of the only file that is wanted, with its diff: as it is shown, or absolute */
export async function readChanges(changes: readonly NetChange[], path: string | undefined, parts: ReadChangesParts): Promise<ChangesReply> {
  const until = performance.now() + budgetMs;
  const wanted = path === undefined ? changes : changes.filter((change) => change.path === path || parts.shown(change.path) === path);
  const files: ChangedFile[] = [];
  let wholeFile: Pick<ChangesReply, 'diff' | 'hunks'> = {};
  for (const change of wanted.slice(0, maxFiles)) {
    const { contents, hasConflict, isHuge } = await readContents(change, parts);
    const names = { before: change.before === null ? undefined : parts.shown(change.from ?? change.path), after: parts.shown(change.path) };
    const found = contents && performance.now() < until ? await compare(contents, names) : undefined;
    if (path !== undefined && found) wholeFile = { diff: found.diff, hunks: canSplit(change) && !hasConflict ? found.hunks : [] };
    const binary = isHuge || contents === undefined ? false : contents.some((content) => content !== null && isBinary(content));
    files.push({
      path: parts.shown(change.path),
      ...(change.from === undefined ? {} : { from: parts.shown(change.from) }),
      kind: kindOf(change),
      added: found?.added ?? null,
      removed: found?.removed ?? null,
      undone: change.isUndone,
      conflict: hasConflict,
      binary,
      turnId: change.turnId,
      at: change.at,
    });
  }
  return { files, more: Math.max(0, wanted.length - maxFiles), ...wholeFile };
}

/** Whether a part of it can be taken back: of what stands, and was there before and after at one place. */
export function canSplit({ isUndone, from, before, after }: NetChange): boolean {
  return !isUndone && from === undefined && before !== null && after !== null;
}

type Contents = readonly [before: Buffer | null, after: Buffer | null];

/** What a tool left is where it left it, or was kept when it was changed again; where neither is so, what is there now stands for it. */
async function readContents(
  change: NetChange,
  parts: ReadChangesParts,
): Promise<{ readonly contents: Contents | undefined; readonly hasConflict: boolean; readonly isHuge: boolean }> {
  const state = await readState(change.path, parts.exactFiles);
  const now = state.kind === 'file' ? state.hash : null;
  const hasConflict = !change.isUndone && (state.kind === 'other' || now !== change.after);
  const before = change.before === null ? null : await keptContent(change.before, parts);
  const current = state.kind === 'file' ? state.content : null;
  const after =
    change.after === null ? null : now === change.after ? current : ((await keptContent(change.after, parts)) ?? (hasConflict ? current : undefined));
  const isKnown = before !== undefined && after !== undefined;
  return { contents: isKnown ? [before, after] : undefined, hasConflict, isHuge: state.kind === 'other' };
}

async function keptContent(hash: string, { objectPath }: ReadChangesParts): Promise<Buffer | undefined> {
  return readFile(objectPath(hash)).catch(() => undefined); // what a tool wrote is kept only once something else is about to stand there
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
