// Implements the tool `find_files`: finds the paths that match a glob.
import { failure } from '#lib/errors';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { whyNothing } from './glob.ts';
import type { FindFilesArgs } from '../inputs.ts';
import type { FilePorts } from '../ports.ts';
import { searchPlace } from './search-place.ts';

const defaultLimit = 300;

export async function findFiles(args: FindFilesArgs, context: ToolContext, ports: FilePorts): Promise<ToolOutcome> {
  const place = await searchPlace(args.path, context, ports);
  if (!place.stats?.isDirectory()) throw failure(`${place.shown} is not a folder.`);
  const matches = place.globOf(args.pattern);
  const limit = args.limit ?? defaultLimit;
  const shown: string[] = [];
  let count = 0;
  const wants = (path: string): boolean => matches(place.below(path));
  const { isCut } = await place.walk({ showIgnored: args.showIgnored, wants }, ({ kind, path }) => {
    if (kind !== 'folder' && ++count <= limit) shown.push(place.show(path));
    return true;
  });
  const notes: string[] = [];
  if (count > limit) notes.push(`${count - limit} more match; narrow the pattern or raise limit`);
  if (isCut) notes.push('too many files, not all were searched; give a path');
  const why = count === 0 ? whyNothing(args.pattern) : undefined;
  if (why !== undefined) notes.push(why);
  const body = count === 0 ? `No file matches ${args.pattern}.` : shown.join('\n');
  return { ok: true, output: notes.length === 0 ? body : `${body}\n\n[${notes.join('; ')}]`, ...(place.isInside ? {} : { isUntrusted: true }) };
}
