// Lists the paths of a workspace for completion, without those that .gitignore excludes.
import { realpathSync, statSync } from 'node:fs';
import { isMissing } from '#lib/errors';
import { realHome, relativeBelow } from '../paths/locate.ts';
import type { FilePorts } from '../ports.ts';
import { rankPaths } from './rank-paths.ts';
import { walk } from './walk.ts';

export interface ListedPaths {
  /** Relative paths with `/`; the path of a folder ends with `/`. */
  readonly paths: string[];
  /** Whether the limit was reached, so that better matches may be missing. */
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
    if (kind === 'file' || kind === 'folder') ranking.add(relativeBelow(root, path) + (kind === 'folder' ? '/' : ''));
    return true;
  });
  return { paths: ranking.best(asked.limit), isCut };
}

/** Returns the folder; `undefined` for an unused chat, which has no folder of its own yet. */
function folderAt(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch (fault) {
    if (isMissing(fault)) return undefined;
    throw fault;
  }
}
