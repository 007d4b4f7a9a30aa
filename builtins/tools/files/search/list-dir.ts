// Implements the tool `list_dir`: lists a folder as a tree.
import { failure } from '#lib/errors';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import type { ListDirArgs } from '../inputs.ts';
import type { FilePorts } from '../ports.ts';
import { searchPlace } from './search-place.ts';
import type { WalkEntry } from './walk.ts';

const maxShown = 1000;

export async function listDir(args: ListDirArgs, context: ToolContext, ports: FilePorts): Promise<ToolOutcome> {
  const place = await searchPlace(args.path, context, ports);
  if (!place.stats?.isDirectory()) throw failure(`${place.shown} is not a folder.`, 'Use read_file to read a file.');
  const entries: WalkEntry[] = [];
  const { ignored } = await place.walk({ showIgnored: args.showIgnored, maxDepth: args.depth ?? 1 }, (entry) => entries.push(entry) > 0);
  const sorted = entries.map((entry) => ({ entry, key: place.below(entry.path) })).sort((left, right) => compareAsTree(left.key, right.key));
  const shown = sorted.slice(0, maxShown);
  const lines = shown.map(({ entry }) => lineOf(entry, ports));
  const notes: string[] = [];
  if (sorted.length > shown.length) notes.push(`${sorted.length - shown.length} more entries omitted; list a subfolder`);
  if (ignored > 0) notes.push(`${ignored} ignored by .gitignore; showIgnored: true shows them`);
  const body = lines.length === 0 ? `${place.shown} is empty.` : `${place.shown}/\n${lines.join('\n')}`;
  return { ok: true, output: notes.length === 0 ? body : `${body}\n\n[${notes.join('; ')}]`, ...(place.isInside ? {} : { isUntrusted: true }) };
}

function lineOf(entry: WalkEntry, { exactFiles }: FilePorts): string {
  const indent = '  '.repeat(entry.depth);
  if (entry.kind === 'folder') return `${indent}${entry.name}/`;
  if (entry.kind === 'link') return `${indent}${entry.name}@`;
  return `${indent}${entry.name}${entry.kind === 'file' ? sizeOf(entry.path, exactFiles) : ''}`;
}

function sizeOf(path: string, { stat }: FilePorts['exactFiles']): string {
  try {
    return `  ${stat(path).size}`;
  } catch {
    return ''; // removed or moved in the meantime
  }
}

/** Compares paths so that a folder is followed by its children. */
function compareAsTree(left: string, right: string): number {
  const [a, b] = [left.split('/'), right.split('/')];
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [one, other] = [a[index] ?? '', b[index] ?? ''];
    if (one !== other) return one < other ? -1 : 1;
  }
  return a.length - b.length;
}
