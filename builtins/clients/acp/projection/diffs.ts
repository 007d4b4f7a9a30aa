// Converts file changes to pairs of old and new text, the diff format of editors.
import type { Diff } from '@agentclientprotocol/sdk';
import { linesOfDiff } from '#lib/diff-parts';
import { isRecord } from '#lib/values';
import type { ToolEntry } from 'agent-harness/transcript';
import type { Block } from 'agent-harness/view';
import { absolutePath } from './absolute-path.ts';

type ShownDiff = Diff & { readonly type: 'diff' };

/** Returns the changes that the arguments of a call describe; empty for arguments of another form. */
export function diffsOfArgs(args: ToolEntry['args'], root: string): ShownDiff[] {
  const { path, content, edits } = args ?? {};
  if (typeof path !== 'string') return [];
  const diff = (oldText: string | null, newText: string): ShownDiff => ({ type: 'diff', path: absolutePath(path, root), oldText, newText });
  if (typeof content === 'string') return [diff(null, content)];
  if (!Array.isArray(edits)) return [];
  return edits.flatMap((edit: unknown) =>
    isRecord(edit) && typeof edit['search'] === 'string' && typeof edit['replace'] === 'string' ? [diff(edit['search'], edit['replace'])] : [],
  );
}

/** Returns one change per hunk. @param path path for a diff without a file name */
export function diffsOf({ path = '', diff }: Pick<Block<'diff'>, 'path' | 'diff'>, root: string): ShownDiff[] {
  const parts: { path: string; old: string[]; new: string[] }[] = [];
  const lines = linesOfDiff(diff);
  const hasFiles = lines.filter(({ kind }) => kind === 'file').length > 1;
  let file = path;
  for (const { kind, text } of lines) {
    if (kind === 'file' && (hasFiles || path === '')) file = text;
    if (kind === 'hunk') parts.push({ path: file, old: [], new: [] });
    const part = parts.at(-1);
    if (!part) continue;
    if (kind === 'removed' || kind === 'same') part.old.push(text);
    if (kind === 'added' || kind === 'same') part.new.push(text);
  }
  return parts.map((part) => ({
    type: 'diff',
    path: absolutePath(part.path, root),
    oldText: part.old.length === 0 ? null : part.old.join('\n'),
    newText: part.new.join('\n'),
  }));
}
