// What an undo did, for people and for the model.
import type { ShownNote } from 'agent-harness/transcript';
import type { UndoReply } from './contract.ts';

export function describeUndo(reply: Pick<UndoReply, 'restored' | 'conflicts'>): string {
  const sentences: string[] = [];
  if (reply.restored.length > 0) sentences.push(`Taken back: ${reply.restored.join(', ')}.`);
  if (reply.conflicts.length > 0) sentences.push(`Changed since and left alone: ${reply.conflicts.join(', ')}.`);
  return sentences.length === 0 ? 'Nothing had to be taken back: the files are already as they were.' : sentences.join(' ');
}

/** In the transcript; its turn is the one that was taken back, long before. */
export function showUndo({ restored = [], conflicts = [] }: Partial<UndoReply>): ShownNote {
  const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`);
  const left = conflicts.length === 0 ? '' : ` ${files(conflicts.length)} changed since and ${conflicts.length === 1 ? 'was' : 'were'} left alone.`;
  return { text: `Changes were taken back in ${files(restored.length)}.${left}`, isOutsideTurn: true };
}
