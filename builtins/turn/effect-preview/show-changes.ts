// Builds the list of changes for an approval request: one row per file, one row per large folder that was added or removed, and diffs of text files.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkpoints } from 'agent-harness/builtins/turn/checkpoints';
import { sha256 } from '#lib/hash';
import type { ShownRehearsal } from 'agent-harness/plugins/policy';
import type { Layer } from './stage.ts';
import { isOfGit, type Facts, type TreeChange } from './tree-changes.ts';

export interface ShowParts {
  readonly compare: Checkpoints['compare'];
  /** Returns the reason if writing a file affects more than its content; `undefined` otherwise. @param path path relative to the workspace */
  whySteers(path: string): string | undefined;
}

type Difference = NonNullable<Awaited<ReturnType<Checkpoints['compare']>>>;
type Row = NonNullable<ShownRehearsal['changes']>[number];
type Folded = { readonly change: TreeChange } | { readonly row: Row };

const mostRows = 100;
/** Number of entries above which an added or removed folder becomes a single row. */
const mostInFolder = 12;
const mostDiffs = 40;
const longestDiff = 24_000;
/** Time limit for all diffs in milliseconds. */
const budgetMs = 250;

export async function showChanges(
  all: readonly TreeChange[],
  { base, upper }: Layer,
  parts: ShowParts,
): Promise<Pick<ShownRehearsal, 'changes' | 'more' | 'diff'>> {
  const moves = await findMoves(all, base, upper);
  const folded = fold(all.filter((change) => !moves.gone.has(change)));
  const withText = folded.flatMap((one) => ('change' in one && isText(one.change) && !moves.sourceOf.has(one.change) ? [one.change] : [])).slice(0, mostDiffs);
  const found = await compareAll(withText, base, upper, parts);
  const rows: Row[] = [];
  const diffs: string[] = [];
  let length = 0;
  let left = 0;
  for (const one of folded) {
    const row = 'row' in one ? one.row : rowOf(one.change, moves.sourceOf.get(one.change), parts);
    const difference = 'row' in one ? undefined : found.get(one.change);
    rows.push(difference ? { ...row, added: difference.added, removed: difference.removed } : row);
    if (!difference || difference.diff === '') continue;
    if (length + difference.diff.length > longestDiff) left++;
    else {
      diffs.push(difference.diff);
      length += difference.diff.length;
    }
  }
  // Files with effects beyond their content come first, git's own files last.
  rows.sort((one, other) => rank(one) - rank(other));
  const diff = [...diffs, ...(left > 0 ? [`… [${left} more files are too long to display]`] : [])].join('\n');
  return { changes: rows.slice(0, mostRows), ...(rows.length > mostRows ? { more: rows.length - mostRows } : {}), ...(diff === '' ? {} : { diff }) };
}

const isText = ({ path, before, after, hasSameContent }: TreeChange): boolean =>
  hasSameContent === undefined && [before, after].some((facts) => facts?.kind === 'file') && !isOfGit(path);
const rank = ({ why, path }: Row): number => (why !== undefined ? 0 : isOfGit(path) ? 2 : 1);

/** Combines large folders that were added or removed, and git's own files, into one row each. */
function fold(changes: readonly TreeChange[]): Folded[] {
  const folded: Folded[] = [];
  const git: TreeChange[] = [];
  for (let at = 0; at < changes.length; at++) {
    const change = changes[at] as TreeChange;
    if (/(?:^|\/)\.git\/(?!(?:config|config\.worktree|commondir|hooks(?:\/.*)?)$)/.test(change.path)) {
      git.push(change);
      continue;
    }
    const { before, after } = change;
    const kind = !before && after?.kind === 'folder' ? 'added' : before?.kind === 'folder' && !after ? 'deleted' : undefined;
    let end = at + 1;
    while (kind !== undefined && changes[end]?.path.startsWith(`${change.path}/`) === true) end++;
    if (kind !== undefined && end - at - 1 > mostInFolder) {
      folded.push({ row: { path: change.path, kind, what: `folder with ${(end - at - 1).toLocaleString('en')} files and folders` } });
      at = end - 1;
    } else folded.push({ change });
  }
  if (git.length > 0) folded.push({ row: { path: '.git', kind: 'edited', what: `${git.length.toLocaleString('en')} internal files of git` } });
  return folded;
}

function rowOf({ path, before, after, hasSameContent }: TreeChange, from: string | undefined, { whySteers }: ShowParts): Row {
  const why = whySteers(path) ?? whySteers(`${path}/`) ?? (/(?:^|\/)\.git\//.test(path) ? 'Git can run programs that this file names.' : undefined);
  const about = why === undefined ? {} : { why };
  if (from !== undefined) return { path, kind: 'moved', from, ...about };
  if (!after) return { path, kind: 'deleted', ...whatOf(before), ...about };
  if (!before) return { path, kind: 'added', ...whatOf(after), ...about };
  if (before.kind === after.kind && (hasSameContent || after.kind === 'folder')) {
    if (before.mode === after.mode) return { path, kind: 'touched', ...about };
    return { path, kind: 'mode', what: `${before.mode.toString(8)} to ${after.mode.toString(8)}`, ...about };
  }
  return { path, kind: 'edited', ...whatOf(after), ...about };
}

function whatOf(facts: Facts | undefined): { readonly what?: string } {
  if (facts?.kind === 'link') return { what: `link to ${facts.target ?? ''}` };
  if (facts?.kind === 'folder') return { what: 'folder' };
  if (facts && (facts.mode & 0o7000) !== 0) return { what: `mode ${facts.mode.toString(8)}` };
  return {};
}

interface Moves {
  readonly sourceOf: ReadonlyMap<TreeChange, string>;
  readonly gone: ReadonlySet<TreeChange>;
}

/** Combines a removed and an added file with the same bytes into a move. */
async function findMoves(changes: readonly TreeChange[], base: string, upper: string): Promise<Moves> {
  const [sourceOf, gone] = [new Map<TreeChange, string>(), new Set<TreeChange>()];
  const isFile = (facts: Facts | undefined): boolean => facts?.kind === 'file' && facts.size > 0;
  const removed = changes.filter(({ before, after }) => !after && isFile(before));
  const added = changes.filter(({ before, after }) => !before && isFile(after));
  const [oldSizes, newSizes] = [new Set(removed.map(({ before }) => before?.size)), new Set(added.map(({ after }) => after?.size))];
  const sources = new Map<string, TreeChange>();
  for (const change of removed) if (newSizes.has(change.before?.size)) sources.set(sha256(await readFile(join(base, change.path))), change);
  for (const change of added) {
    if (!oldSizes.has(change.after?.size)) continue;
    const hash = sha256(await readFile(join(upper, change.path)));
    const source = sources.get(hash);
    if (!source) continue;
    sources.delete(hash);
    sourceOf.set(change, source.path);
    gone.add(source);
  }
  return { sourceOf, gone };
}

/** Compares as many files as the time limit allows. */
async function compareAll(changes: readonly TreeChange[], base: string, upper: string, { compare }: ShowParts): Promise<Map<TreeChange, Difference>> {
  const until = performance.now() + budgetMs;
  const found = new Map<TreeChange, Difference>();
  const contentOf = (folder: string, path: string, facts: Facts | undefined): Promise<Buffer | null> =>
    facts?.kind === 'file' ? readFile(join(folder, path)) : Promise.resolve(null);
  for (const change of changes) {
    if (performance.now() >= until) break;
    const { path, before, after } = change;
    const [old, now] = await Promise.all([contentOf(base, path, before), contentOf(upper, path, after)]);
    const difference = await compare(path, old, now);
    if (difference) found.set(change, difference);
  }
  return found;
}
