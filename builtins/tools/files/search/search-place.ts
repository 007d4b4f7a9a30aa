// Resolves the folder in which a listing or search starts, and walks through it.
import { realpath } from 'node:fs/promises';
import { failure } from '#lib/errors';
import type { ToolContext } from 'agent-harness/plugins/tools';
import type { DecidedPlace } from '../paths/decisions.ts';
import { realHome, relativeBelow } from '../paths/locate.ts';
import type { FilePorts } from '../ports.ts';
import { createGlob } from './glob.ts';
import { walk, type Walk, type WalkEntry } from './walk.ts';

export interface SearchPlace extends DecidedPlace {
  /** Returns the path for display: relative to the workspace, or absolute outside it. */
  show(path: string): string;
  /** Returns the path relative to the start folder, with `/`. */
  below(path: string): string;
  /** Returns a glob for paths from {@link below}; an absolute pattern inside the start folder is converted. */
  globOf(pattern: string): (path: string) => boolean;
  walk(
    options: { readonly showIgnored?: boolean | undefined; readonly maxDepth?: number; wants?(path: string): boolean },
    take: (entry: WalkEntry) => boolean,
  ): Promise<Walk>;
}

export async function searchPlace(path: string | undefined, context: ToolContext, ports: FilePorts): Promise<SearchPlace> {
  const located = ports.decisions.recall(context, path ?? '.');
  if (!located.stats) throw failure(`There is no folder ${located.shown}.`, 'Use list_dir.');
  const root = await realpath(context.workspaceRoot);
  const forbidden = realHome(ports.home);
  return {
    ...located,
    show: (found) => (located.isInside ? relativeBelow(root, found) : found),
    below: (found) => relativeBelow(located.path, found),
    globOf: (pattern) => createGlob(pattern.startsWith(`${located.path}/`) ? pattern.slice(located.path.length + 1) : pattern),
    walk: ({ showIgnored = false, maxDepth = Infinity, wants = () => true }, take) =>
      walk(located.path, { showIgnored, maxDepth, wants, root, forbidden, signal: context.signal, ...ports.exactFiles }, take),
  };
}
