// Lists the paths of a workspace for completion, without those in .gitignore.
import { realpathSync, statSync } from 'node:fs';
import { isMissing } from '#lib/errors';
import { realHome, wayBelow } from '../paths/locate.ts';
import type { FilePorts } from '../ports.ts';
import { rankPaths } from './rank-paths.ts';
import { walk } from './walk.ts';

export interface ListedPaths {
  /** Relative paths with `/`; the path of a folder ends with it. */
  readonly paths: string[];
  /** The limit was reached, so better matches may be missing. */
  readonly isCut: boolean;
}

export async function listPaths(
  workspaceRoot: string,
  asked: { readonly query: string; readonly limit: number; readonly signal: AbortSignal },
  { home, exactFiles }: Pick<FilePorts, 'home' | 'exactFiles'>,
): Promise<ListedPaths> {
  const root = folderAt(workspaceRoot);
  if (root === undefined) return { paths: [], isCut: false };
  const ranking = rankPaths(asked.query);
  const options = { root, forbidden: realHome(home), showIgnored: false, maxDepth: Infinity, wants: () => true, signal: asked.signal };
  const { isCut } = await walk(root, { ...options, ...exactFiles }, ({ kind, path }) => {
    if (kind === 'file' || kind === 'folder') ranking.add(wayBelow(root, path) + (kind === 'folder' ? '/' : ''));
    return true;
  });
  return { paths: ranking.best(asked.limit), isCut };
}

/** An unused chat has no folder of its own yet. */
function folderAt(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch (fault) {
    if (isMissing(fault)) return undefined;
    throw fault;
  }
}
