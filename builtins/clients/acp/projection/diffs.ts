// Changes of files as pairs of texts, the form in which editors draw them.
import type { Diff } from '@agentclientprotocol/sdk';
import { isRecord } from 'agent-harness/lib/values';
import type { Preview, ToolEntry } from 'agent-harness/transcript';
import { absolutePath } from './absolute-path.ts';

type ShownDiff = Diff & { readonly type: 'diff' };

/** What the arguments of a call say that it changes; none where they say it otherwise. */
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

/** One for each part of a unified diff. */
export function diffsOfPreview({ path, diff }: Extract<Preview, { kind: 'diff' }>, root: string): ShownDiff[] {
  const parts: { old: string[]; new: string[] }[] = [];
  for (const line of diff.split('\n')) {
    if (line.startsWith('@@')) parts.push({ old: [], new: [] });
    const part = parts.at(-1);
    if (!part || line.startsWith('@@')) continue;
    if (line.startsWith('-') || line.startsWith(' ')) part.old.push(line.slice(1));
    if (line.startsWith('+') || line.startsWith(' ')) part.new.push(line.slice(1));
  }
  return parts.map((part) => ({
    type: 'diff',
    path: absolutePath(path, root),
    oldText: part.old.length === 0 ? null : part.old.join('\n'),
    newText: part.new.join('\n'),
  }));
}
