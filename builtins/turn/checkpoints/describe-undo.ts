// What an undo did, for people and for the model.
import type { UndoReply } from './contract.ts';

export function describeUndo(reply: Pick<UndoReply, 'restored' | 'conflicts'>): string {
  const sentences: string[] = [];
  if (reply.restored.length > 0) sentences.push(`Taken back: ${reply.restored.join(', ')}.`);
  if (reply.conflicts.length > 0) sentences.push(`Changed since and left alone: ${reply.conflicts.join(', ')}.`);
  return sentences.length === 0 ? 'Nothing had to be taken back: the files are already as they were.' : sentences.join(' ');
}
